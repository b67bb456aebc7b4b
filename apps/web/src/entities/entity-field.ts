import type { Entity } from '@lavra/api';
import { formatDateTime } from '../lib/format.ts';

/** Words as they are; where it holds a number all the same, the keys are a number's. */
interface TextKind {
  readonly kind?: 'text';
  readonly numeric?: boolean;
  /** Characters; the form takes no more. */
  readonly maxLength?: number;
}

/** A whole number. */
interface NumberKind {
  readonly kind: 'number';
  readonly maxLength?: number;
}

/** Yes or no. */
interface FlagKind {
  readonly kind: 'flag';
}

/** One of an enumeration; its words stand under `<words>.choice.<name>.<value>`. */
interface ChoiceKind<Value> {
  readonly kind: 'choice';
  /** In the order of the form. */
  readonly choices: readonly Value[];
}

/** A day: YYYY-MM-DD on the wire, DD/MM/YYYY to people. */
interface DayKind {
  readonly kind: 'day';
}

/** A day and a time, in the zone of whoever is signed in; ISO 8601 in UTC on the wire. */
interface InstantKind {
  readonly kind: 'instant';
}

/** Another record, chosen from its entity's list by what names it; its id on the wire, under `id`. */
interface ReferenceKind {
  readonly kind: 'reference';
  readonly of: Entity;
  /** Which of its fields tells people which one it is. */
  readonly by: string;
  /** Where its own screens are; none: it is shown without a link. */
  readonly at?: string;
  /** True for any number of them. */
  readonly many?: true;
  /** Whether a record is offered. */
  fits?(item: Readonly<Record<string, unknown>>): boolean;
}

type AnyKind = TextKind | NumberKind | FlagKind | ChoiceKind<string> | DayKind | InstantKind | ReferenceKind;

/** What the wire has there (of any entity: anything). */
type WireOf<Value, Present = NonNullable<Value>> = unknown extends Value
  ? 'any'
  : [Present] extends [string]
    ? string extends Present
      ? 'text'
      : 'choice'
    : [Present] extends [boolean]
      ? 'flag'
      : [Present] extends [number]
        ? 'number'
        : [Present] extends [{ id: string }]
          ? 'reference'
          : 'none';

type NameOf<Values, Wire> = {
  [Name in keyof Values & string]-?: WireOf<Values[Name]> extends Wire ? Name : never;
}[keyof Values & string];

/** The fields that these values can have: each of a kind that shows and takes what the wire has there. */
export type FieldOf<Values> = (
  | ({ readonly name: NameOf<Values, 'text'> } & (TextKind | DayKind | InstantKind))
  | ({ readonly name: NameOf<Values, 'reference'> } & ReferenceKind)
  | ({ readonly name: NameOf<Values, 'number'> } & NumberKind)
  | ({ readonly name: NameOf<Values, 'flag'> } & FlagKind)
  | { [Name in NameOf<Values, 'choice'>]: { readonly name: Name } & ChoiceKind<NonNullable<Values[Name]>> }[NameOf<Values, 'choice'>]
  | ({ readonly name: NameOf<Values, 'any'> } & AnyKind)
) & { readonly required?: true };

/** A field of an entity's form and columns. */
export type EntityField = {
  readonly name: string;
  /** The form asks for it, even where the wire does not. */ readonly required?: true;
} & AnyKind;

/** A form's values as they are entered: a yes or no, the ids of records, else the text. */
type Entered = string | boolean | readonly string[];

/** Whether the wire takes it there. */
export type Takes = (value: unknown) => boolean;

export function isBlank(value: unknown): boolean {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}

/** Whether digits are typed, and stand below each other in a column. */
export function isNumeric(field: EntityField): boolean {
  return field.kind === 'number' || ('numeric' in field && field.numeric === true);
}

/** What stands in the form for what the wire has. */
export function enteredOf(field: EntityField, value: unknown): Entered {
  if (field.kind === 'flag') return value === true;
  if (field.kind === 'reference' && field.many) return Array.isArray(value) ? value.map(idOf) : [];
  if (isBlank(value)) return '';
  if (field.kind === 'reference') return idOf(value);
  return field.kind === 'day' ? dayShown(String(value)) : String(value);
}

/** Why it is nothing: the key of a sentence, and its values. */
interface FieldFault {
  readonly fault: string;
  readonly params?: { readonly max: number };
}

/** What the wire gets for what was entered, or the key of the sentence that says why it is nothing. Texts are the rule's to judge. */
export function writtenOf(field: EntityField, entered: unknown, takes: Takes): { readonly value: unknown } | FieldFault {
  if (field.kind === 'flag') return { value: entered === true };
  if (Array.isArray(entered)) return field.required && entered.length === 0 ? BLANK : { value: entered.map((id) => ({ id: String(id) })) };
  const text = typeof entered === 'string' ? entered : '';
  if (text.trim() === '' && field.required) return BLANK;
  if ('maxLength' in field && field.maxLength !== undefined && text.length > field.maxLength)
    return { fault: 'entity.validation.maxlength', params: { max: field.maxLength } };
  if (field.kind === undefined || field.kind === 'text') return { value: text.trim() === '' && takes(null) ? null : text };
  if (text.trim() === '') return blankOf(takes);
  if (field.kind === 'reference') return { value: { id: text } };
  if (field.kind === 'instant') return { value: text };
  if (field.kind === 'choice') return field.choices.includes(text) ? { value: text } : { fault: 'entity.validation.required' };
  if (field.kind === 'number') return /^-?\d{1,15}$/.test(text.trim()) ? { value: Number(text) } : { fault: 'entity.fault.number' };
  const day = dayWritten(text.trim());
  return day === null ? { fault: 'entity.fault.day' } : { value: day };
}

/** Nothing, as the wire says it there, if it may be nothing. */
function blankOf(takes: Takes): { value: null | undefined } | { fault: string } {
  if (takes(null)) return { value: null };
  return takes(undefined) ? { value: undefined } : BLANK;
}

const BLANK = { fault: 'entity.validation.required' } as const;
const idOf = (value: unknown) => String((value as { id?: unknown } | null)?.id ?? '');
const namedBy = (value: unknown) => String((value as { name?: unknown } | null)?.name ?? idOf(value));

/** How a value that is there reads in the person's language. */
export function shownOf(field: EntityField, value: unknown, { t, language, words }: ShownIn): string {
  if (field.kind === 'flag') return t(value === true ? 'entity.yes' : 'entity.no');
  if (field.kind === 'choice') return t(`${words}.choice.${field.name}.${String(value)}`);
  if (field.kind === 'number') return new Intl.NumberFormat(language).format(Number(value));
  if (field.kind === 'instant') return formatDateTime(String(value));
  if (field.kind === 'reference') return [value].flat().map(namedBy).join(', ');
  return field.kind === 'day' ? dayShown(String(value)) : String(value);
}

interface ShownIn {
  t(key: string): string;
  readonly language: string;
  /** Where the entity's words stand in the locales. */
  readonly words: string;
}

function dayShown(iso: string): string {
  const [year, month, day] = iso.split('-');
  return `${day}/${month}/${year}`;
}

/** YYYY-MM-DD of a DD/MM/YYYY; null where the calendar has no such day. */
function dayWritten(text: string): string | null {
  const [, day, month, year] = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(text) ?? [];
  const iso = `${year}-${month}-${day}`;
  const instant = Date.parse(`${iso}T00:00:00Z`);
  return !Number.isNaN(instant) && new Date(instant).toISOString().startsWith(iso) ? iso : null;
}
