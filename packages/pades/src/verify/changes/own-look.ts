import { PdfName, PdfRef, PdfStream, PdfString, isDict, isName, latin1Text } from '../../pdf/objects.ts';
import type { PdfDict, PdfObject } from '../../pdf/objects.ts';
import type { Pdf } from '../../pdf/pdf.ts';
import { annotationFlags, flagsOf, paints, rectOf } from './form-model.ts';
import type { FieldNode, FormModel } from './form-model.ts';
import type { Review } from './review.ts';

/** No letter of a standard font is wider (Symbol has 1.042), and no line higher, in units of the size. */
const widest = 1.1;
const leading = 1.5;

/** Nothing but a font, a size and a colour: readers copy the string as it stands. */
const number = String.raw`[\t\n\r ]+\d*\.?\d+`;
const plainAppearance = new RegExp(
  String.raw`^[\t\n\r ]*(?:(?:\d*\.?\d+[\t\n\r ]+g|\d*\.?\d+(?:${number}){2}[\t\n\r ]+rg)[\t\n\r ]+)?/([\w+.-]+)[\t\n\r ]+(\d+(?:\.\d+)?)[\t\n\r ]+Tf` +
    String.raw`(?:${number}[\t\n\r ]+g|(?:${number}){3}[\t\n\r ]+rg)?[\t\n\r ]*$`,
);
const standardFonts = new Set(
  ['Helvetica', 'Helvetica-Bold', 'Helvetica-Oblique', 'Helvetica-BoldOblique', 'Courier', 'Courier-Bold', 'Courier-Oblique'].concat([
    'Courier-BoldOblique',
    'Times-Roman',
    'Times-Bold',
    'Times-Italic',
    'Times-BoldItalic',
    'Symbol',
    'ZapfDingbats',
  ]),
);
/** A font that brings no widths and no letters of its own. */
const fontKeys = new Set(['Type', 'Subtype', 'BaseFont', 'Name', 'Encoding']);

/**
 * Whether what was filled in stays in its box. A look is cut off at its box by everybody, if it has one; where a field has none, each
 * reader draws one of the value and the default appearance (ISO 32000-2 §12.7.4.3), and Ghostscript lets it run over the page. So
 * there it must be plain text of a standard font in a size that is named, and fit whatever its letters.
 */
export async function staysInItsBox({ after, formAfter, usages }: Review, field: FieldNode): Promise<boolean> {
  const state = { pdf: after, model: formAfter, field };
  const open = [field];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    after.reader.work.spend(64);
    if (node.isWidget && !(await isWidgetBounded(state, node))) return false;
    const items = (await after.resolveArray(node.dict.get('Kids'))) ?? [];
    const kids = new Set(items.map((item) => (item instanceof PdfRef ? item.num : 0)));
    // Who calls it Parent and is no kid of it: some readers take the value from there.
    if (usages.to(node.num).some(({ from, path }) => path === 'Parent' && !kids.has(from))) return false;
    for (const kid of kids) open.push(...[formAfter.nodes.get(kid)].filter((one) => one !== undefined));
  }
  return true;
}

/** The form as it stands now, and what was filled in it. */
interface State {
  readonly pdf: Pdf;
  readonly model: FormModel;
  readonly field: FieldNode;
}

async function isWidgetBounded(state: State, { dict, name }: FieldNode): Promise<boolean> {
  const { pdf, field } = state;
  const flags = await flagsOf(pdf, dict);
  if (flags !== null && (flags & annotationFlags.hidden) !== 0) return true;
  const look = await pdf.resolve((await pdf.resolveDict(dict.get('AP')))?.get('N'));
  if (look instanceof PdfStream) return isCutOff(pdf, look, dict);
  // What another field shows was not filled in there.
  if (name !== field.name) return false;
  const chain = await fieldsAbove(pdf, dict);
  if (chain === null) return false;
  const value = await inherited(pdf, chain, 'V');
  const isEmpty = value === null || (value instanceof PdfString && value.bytes.length === 0);
  const hasRichText = chain.some((one) => one.has('RV'));
  if (isEmpty) return !hasRichText;
  return !hasRichText && value instanceof PdfString && fits(state, { chain, dict, value });
}

/** Who has no box to cut off at, or can make nothing of how it lies, paints over the page; without a place it is as large as it is. */
async function isCutOff(pdf: Pdf, look: PdfStream, dict: PdfDict): Promise<boolean> {
  const rect = await rectOf(pdf, dict);
  if (rect === null) return false;
  if (rect[0] === rect[2] || rect[1] === rect[3]) return !(await paints(pdf, dict));
  const [x0, y0, x1, y1, ...more] = await numbersIn(pdf, look.dict.get('BBox'));
  if (x0 === undefined || y0 === undefined || x1 === undefined || y1 === undefined || more.length > 0) return false;
  if (x0 === x1 || y0 === y1) return !(await paints(pdf, dict));
  if (!look.dict.has('Matrix')) return true;
  const [a, b, c, d, ...moved] = await numbersIn(pdf, look.dict.get('Matrix'));
  if (a === undefined || b === undefined || c === undefined || d === undefined || moved.length !== 2) return false;
  return Math.abs(a * d - b * c) > 1e-6;
}

/** All of them, or none. */
async function numbersIn(pdf: Pdf, value: PdfObject | undefined): Promise<number[]> {
  const items = (await pdf.resolveArray(value)) ?? [];
  if (items.length > 6) return [];
  const found = await Promise.all(items.map((item) => pdf.resolve(item)));
  const numbers = found.filter((item) => typeof item === 'number' && Number.isFinite(item));
  return numbers.length === found.length ? (numbers as number[]) : [];
}

/** From the widget upwards, as readers go; null when that leads round. */
async function fieldsAbove(pdf: Pdf, dict: PdfDict): Promise<PdfDict[] | null> {
  const chain: PdfDict[] = [];
  for (let one: PdfDict | null = dict; one !== null; one = await pdf.resolveDict(one.get('Parent'))) {
    if (chain.length > 32) return null;
    chain.push(one);
  }
  return chain;
}

async function inherited(pdf: Pdf, chain: readonly PdfDict[], key: string): Promise<PdfObject> {
  for (const dict of chain) if (dict.has(key)) return pdf.resolve(dict.get(key));
  return null;
}

interface Drawn {
  readonly chain: readonly PdfDict[];
  readonly dict: PdfDict;
  readonly value: PdfString;
}

async function fits({ pdf, model }: State, { chain, dict, value }: Drawn): Promise<boolean> {
  if (!isName(await inherited(pdf, chain, 'FT'), 'Tx') || chain.some((one) => one.has('MK') || one.has('DR'))) return false;
  const form = model.form?.dict;
  const string = await inherited(pdf, form === undefined ? chain : [...chain, form], 'DA');
  const [, font, size] = (string instanceof PdfString && plainAppearance.exec(latin1Text(string.bytes))) || [];
  const rect = await rectOf(pdf, dict);
  if (font === undefined || rect === null || !(Number(size) > 0) || !(await isStandardFont(pdf, form, font))) return false;
  // Some take for letters the bytes of what others read as UTF-16, and for a line's end what is half a letter.
  const text = latin1Text(value.bytes);
  const lines = text.split(/\r\n|\r|\n/);
  const longest = /^(\xfe\xff|\xff\xfe|\xef\xbb\xbf)/.test(text)
    ? text.length
    : lines.reduce((most, { length }) => Math.max(most, length), 0);
  const [width, height] = [longest * widest * Number(size), lines.length * leading * Number(size)];
  return width <= rect[2] - rect[0] && height <= rect[3] - rect[1];
}

async function isStandardFont(pdf: Pdf, form: PdfDict | undefined, name: string): Promise<boolean> {
  const fonts = await pdf.resolveDict((await pdf.resolveDict(form?.get('DR')))?.get('Font'));
  const font = await pdf.resolve(fonts?.get(name));
  if (!isDict(font) || ![...font.keys()].every((key) => fontKeys.has(key))) return false;
  const base = await pdf.resolve(font.get('BaseFont'));
  return isName(await pdf.resolve(font.get('Subtype')), 'Type1') && base instanceof PdfName && standardFonts.has(base.value);
}
