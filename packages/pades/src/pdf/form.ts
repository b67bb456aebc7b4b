import { PdfName, PdfRef, PdfString, decodeText, isDict, isName } from './objects.ts';
import type { PdfDict, PdfObject } from './objects.ts';
import { keptReading } from './kept-reading.ts';
import { catalogOf } from './pages.ts';
import type { Pdf } from './pdf.ts';

const maxFields = 20_000;
const maxDepth = 32;

/** A terminal form field with what it inherits. */
export interface FieldInfo {
  /** Fully qualified: partial names joined by dots. */
  readonly name: string;
  readonly ref: PdfRef;
  readonly dict: PdfDict;
  /** Tx, Btn, Ch, Sig or null. */
  readonly type: string | null;
  /** The raw V, a reference as a rule. */
  readonly value: PdfObject;
  /** The widget: the field itself when merged, else its first kid. */
  readonly widget: { ref: PdfRef; dict: PdfDict } | null;
}

export interface AcroForm {
  /** Null when the form is a direct value of the catalog. */
  readonly ref: PdfRef | null;
  readonly dict: PdfDict;
}

export async function acroFormOf(pdf: Pdf): Promise<AcroForm | null> {
  const catalog = await catalogOf(pdf);
  const raw = catalog.dict.get('AcroForm');
  const dict = await pdf.resolve(raw);
  if (!isDict(dict)) return null;
  return { ref: raw instanceof PdfRef ? await pdf.refTo(raw.num) : null, dict };
}

/** All terminal fields of the form, in order; bounded, loop-proof. Walked once. */
export const listFields: (pdf: Pdf) => Promise<readonly FieldInfo[]> = keptReading(walkForm);

async function walkForm(pdf: Pdf): Promise<FieldInfo[]> {
  const form = await acroFormOf(pdf);
  const fields: FieldInfo[] = [];
  if (form === null) return fields;
  const seen = new Set<number>();
  for (const item of (await pdf.resolveArray(form.dict.get('Fields'))) ?? []) {
    await collect(pdf, item, { name: '', type: null, value: null }, fields, seen, 0);
  }
  return fields;
}

interface Inherited {
  name: string;
  type: string | null;
  value: PdfObject;
}

async function collect(pdf: Pdf, item: PdfObject, from: Inherited, fields: FieldInfo[], seen: Set<number>, depth: number): Promise<void> {
  if (!(item instanceof PdfRef) || depth > maxDepth || fields.length >= maxFields) return;
  if (seen.has(item.num)) return;
  seen.add(item.num);
  const dict = await pdf.resolve(item);
  if (!isDict(dict)) return;
  const own = await describe(pdf, dict, from);
  const kids = (await pdf.resolveArray(dict.get('Kids'))) ?? [];
  const branches = await childFields(pdf, kids);
  if (branches.length > 0) {
    for (const kid of branches) await collect(pdf, kid, own, fields, seen, depth + 1);
    return;
  }
  const ref = await pdf.refTo(item.num);
  fields.push({ ...own, ref, dict, widget: await widgetOf(pdf, ref, dict, kids) });
}

async function describe(pdf: Pdf, dict: PdfDict, from: Inherited): Promise<Inherited> {
  const t = await pdf.resolve(dict.get('T'));
  const type = await pdf.resolve(dict.get('FT'));
  const partial = t instanceof PdfString ? decodeText(t) : null;
  const joined = partial === null ? from.name : from.name ? `${from.name}.${partial}` : partial;
  return {
    name: joined,
    type: type instanceof PdfName ? type.value : from.type,
    value: dict.get('V') ?? from.value,
  };
}

/** Kids with a partial name are fields; those without are widgets of this field (§12.7.4.2). */
async function childFields(pdf: Pdf, kids: PdfObject[]): Promise<PdfObject[]> {
  const result: PdfObject[] = [];
  for (const kid of kids.slice(0, maxFields)) {
    const dict = await pdf.resolve(kid);
    if (isDict(dict) && (dict.has('T') || (dict.has('Kids') && !isName(dict.get('Subtype'), 'Widget')))) result.push(kid);
  }
  return result;
}

async function widgetOf(pdf: Pdf, ref: PdfRef, dict: PdfDict, kids: PdfObject[]): Promise<{ ref: PdfRef; dict: PdfDict } | null> {
  if (isName(await pdf.resolve(dict.get('Subtype')), 'Widget') || dict.has('Rect')) {
    return { ref, dict };
  }
  for (const kid of kids) {
    const widget = await pdf.resolve(kid);
    if (kid instanceof PdfRef && isDict(widget)) return { ref: await pdf.refTo(kid.num), dict: widget };
  }
  return null;
}
