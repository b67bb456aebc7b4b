import { PdfName, PdfStream, PdfString, dictOf, isDict, isName, latin1Text } from '../../pdf/objects.ts';
import type { PdfDict, PdfObject } from '../../pdf/objects.ts';
import type { Pdf } from '../../pdf/pdf.ts';
import type { Review } from './review.ts';

/**
 * Default resources are found by name (ISO 32000-2 §12.7.4.3): a font that comes into them is shown at once, wherever a reader
 * draws a look itself and the name was waiting. True when that is so, or nobody can say.
 */
export async function awaitsResources(review: Review, resources: PdfObject | undefined): Promise<boolean> {
  const { before, after, formBefore } = review;
  const known = await before.resolveDict((await before.resolveDict(formBefore.form?.dict.get('DR')))?.get('Font'));
  const fonts = await after.resolveDict((await after.resolveDict(resources))?.get('Font'));
  const added = [...(fonts ?? [])].filter(([name]) => known?.has(name) !== true);
  // Ticks are drawn with it although nobody names it.
  for (const [name, font] of added) if (name === 'ZaDb' && !(await isPlainDingbats(after, font))) return true;
  const others = new Set(added.map(([name]) => name).filter((name) => name !== 'ZaDb'));
  if (others.size === 0) return false;
  const inherits = await anyOf(
    [...formBefore.nodes.values()].filter(({ isWidget, type }) => isWidget && type !== 'Sig').map(({ dict }) => dict),
    async (dict) => isDict(dict) && !(await hasLook(before, dict)),
  );
  for (const num of review.usages.everythingShown) {
    const object = before.strictObject(num);
    const found = object instanceof Promise ? await object : object;
    if (await isWaiting(before, found?.value ?? null, { fonts: others, inherits }, 0)) return true;
  }
  return false;
}

async function isPlainDingbats(pdf: Pdf, value: PdfObject): Promise<boolean> {
  const font = await pdf.resolve(value);
  if (!isDict(font) || !isName(font.get('Subtype'), 'Type1') || !isName(font.get('BaseFont'), 'ZapfDingbats')) return false;
  return [...font.keys()].every((key) => ['Type', 'Subtype', 'BaseFont', 'Name'].includes(key));
}

interface Awaited {
  readonly fonts: ReadonlySet<string>;
  /** A widget of the form has no look: it may inherit a default appearance from anywhere above it. */
  readonly inherits: boolean;
}

/** Something in it names the font in a default appearance, and has no look that says how it is shown. */
async function isWaiting(pdf: Pdf, value: PdfObject, awaited: Awaited, depth: number): Promise<boolean> {
  pdf.reader.work.spend(16);
  if (depth > 16) return true;
  if (Array.isArray(value)) return anyOf(value, (item) => isWaiting(pdf, item, awaited, depth + 1));
  const dict = dictOf(value);
  if (dict === null) return false;
  const look = await pdf.resolve(dict.get('DA'));
  // The form's own, and that of a field with widgets below it, is for those that have none.
  const isAsked = dict.has('Rect') ? !(await hasLook(pdf, dict)) : awaited.inherits;
  if (isAsked && look instanceof PdfString && namesIn(latin1Text(look.bytes)).some((name) => awaited.fonts.has(name))) return true;
  return anyOf([...dict.values()], (item) =>
    typeof item === 'object' && item !== null ? isWaiting(pdf, item, awaited, depth + 1) : Promise.resolve(false),
  );
}

/** A normal appearance, or nothing to show. */
async function hasLook(pdf: Pdf, dict: PdfDict): Promise<boolean> {
  if (isName(await pdf.resolve(dict.get('FT')), 'Sig')) return true;
  const normal = await pdf.resolve((await pdf.resolveDict(dict.get('AP')))?.get('N'));
  if (normal instanceof PdfStream) return true;
  const state = await pdf.resolve(dict.get('AS'));
  return isDict(normal) && state instanceof PdfName && (await pdf.resolve(normal.get(state.value))) instanceof PdfStream;
}

function namesIn(text: string): string[] {
  const spelled = [...text.matchAll(/\/([^\0\t\n\f\r ()<>[\]{}/%]*)/g)].map((match) => match[1] ?? '');
  return spelled.flatMap((name) => [
    name,
    name.replaceAll(/#([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
  ]);
}

async function anyOf(items: readonly PdfObject[], holds: (item: PdfObject) => Promise<boolean>): Promise<boolean> {
  for (const item of items) if (await holds(item)) return true;
  return false;
}
