import type { Entity, EntityItem } from '@lavra/api';

/** A field of an entity's form and columns. */
export interface EntityField<Name extends string = string> {
  readonly name: Name;
  readonly numeric?: boolean;
  /** Characters; the form takes no more. */
  readonly maxLength?: number;
}

/** What the screens of one entity add to the machine. Words stand in the locales under `<words>.title`, `.new`, `.edit`, `.detail`, `.empty`, `.blank` (what nothing means), `.field.<name>`. */
export interface EntityView<E extends Entity = Entity> {
  readonly entity: E;
  /** The web's address: `/contract-type`. */
  readonly address: string;
  readonly words: string;
  /** In the order of form and columns; the first names the record. */
  readonly fields: readonly EntityField<Extract<keyof EntityItem<E>, string>>[];
  /** Which of them have a hint, `<words>.hint.<name>`. */
  readonly hints?: readonly string[];
  /** The rule that the server has too. Throws DomainError with the field at fault. */
  readonly rule: (values: never) => unknown;
}

/** What names a record in sentences. */
export function nameOf(view: EntityView, item: Readonly<Record<string, unknown>>): string {
  return String(item[view.fields[0]?.name ?? 'id'] ?? '');
}

export function isBlank(value: unknown): boolean {
  return value === null || value === undefined || value === '';
}
