import type { Body, Entity, EntityItem } from '@lavra/api';
import type { ComponentType, ReactNode } from 'react';
import type { Frame } from '../shell/page.tsx';
import type { EntityField, FieldOf } from './entity-field.ts';
import type { Saving } from './use-saving.ts';

/** What is written, as it is answered. */
type WrittenOf<E extends Entity> = Pick<EntityItem<E>, Extract<keyof E['written'], keyof EntityItem<E>>>;

/** A record in an editor of the room's own; null: a new one. */
export interface EditorProps<E extends Entity = Entity> {
  readonly item: EntityItem<E> | null;
  readonly saving: Saving;
}

/**
 * What the screens of one entity add to the machine. Words stand in the locales under `<words>.title`, `.new`, `.edit`, `.detail`,
 * `.empty`, `.blank` (what nothing means), `.field.<name>`, `.choice.<name>.<value>`, `.column.<key>`; where the machine's own do not say enough, `.listFailed`,
 * `.loadFailed`, `.deleteQuestion`.
 */
export interface EntityView<E extends Entity = Entity, Field = FieldOf<WrittenOf<E>>> {
  readonly entity: E;
  /** The web's address: `/contract-type`. */
  readonly address: string;
  readonly words: string;
  /** Of the list, where its columns need more than the usual width. */
  readonly frame?: Frame;
  /** Whether `<words>.about` says above the list what its records are for. */
  readonly hasAbout?: true;
  /** In the order of form and columns; the first names the record, unless `heading` does. None: its number does. */
  readonly fields: readonly Field[];
  /** What only a new record is asked for. */
  readonly born?: readonly BornField[];
  /** What a new record is sent with besides. */
  readonly bornWith?: Partial<Body<E['create']>>;
  /** What is only read: after the fields in list and detail. */
  readonly shown?: readonly EntityField[];
  /** Fields that stand in the detail, and not in the list. */
  readonly apart?: readonly string[];
  /** The field that names the record. */
  readonly heading?: string;
  /** Whether a record can be changed and deleted; left out: each can. */
  canWrite?(item: EntityItem<E>): boolean;
  /** What is done with a record besides, under what its detail shows. */
  Acts?(props: { readonly item: EntityItem<E> }): ReactNode;
  /** Which of them have a hint, `<words>.hint.<name>`. */
  readonly hints?: readonly string[];
  /** Columns of the list that are no fields: what the record looks like. */
  readonly columns?: readonly { readonly key: string; readonly numeric?: true; cell(item: EntityItem<E>): ReactNode }[];
  /**
   * How a record is written: its fields below each other, held to the rule that the server has too (throws DomainError with the
   * field at fault); or an editor of the room's own, which then is what opens a record.
   */
  readonly form: { readonly rule: (values: never) => unknown } | { readonly Editor: ComponentType<EditorProps<E>> };
}

/** A field that only a new record has, and what stands in it at first. */
export type BornField = EntityField & { initial?(): string };

/** What is shown of a record, what names it first. */
export function shownFields(view: EntityView): readonly EntityField[] {
  const all = [...view.fields, ...(view.shown ?? [])];
  const heading = all.find(({ name }) => name === view.heading) ?? all[0];
  return heading ? [heading, ...all.filter((field) => field !== heading)] : [];
}

/** What a form asks for. */
export function askedFields(view: EntityView, isNew: boolean): readonly BornField[] {
  return isNew ? [...(view.born ?? []), ...view.fields] : view.fields;
}

/** What names a record in sentences. */
export function nameOf(view: EntityView, item: Readonly<Record<string, unknown>>): string {
  const value = item[shownFields(view)[0]?.name ?? 'id'];
  if (typeof value === 'object' && value !== null)
    return String((value as { name?: unknown; id?: unknown }).name ?? (value as { id?: unknown }).id);
  return String(value ?? '');
}
