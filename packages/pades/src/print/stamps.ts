import { PdfName, PdfStream, dict, isDict, isName } from '../pdf/objects.ts';
import type { PdfDict, PdfObject } from '../pdf/objects.ts';
import type { Pdf } from '../pdf/pdf.ts';

/** Hidden and NoView (ISO 32000-2 §12.5.3); then Print, ReadOnly and Locked. */
const unseen = 2 | 32;
const asPrinted = 4 | 64 | 128;

/**
 * A widget as a stamp (§12.5.6.12) that looks the same: what the field was, and whose, is gone. Another annotation stays as it is.
 * Null: what nobody saw, or what has no look.
 */
export async function asStamp(pdf: Pdf, annotation: PdfDict): Promise<PdfDict | null> {
  if (!isName(await pdf.resolve(annotation.get('Subtype')), 'Widget')) return annotation;
  const flags = await pdf.resolve(annotation.get('F'));
  if (typeof flags === 'number' && (flags & unseen) !== 0) return null;
  const rect = await pdf.resolveArray(annotation.get('Rect'));
  const look = await lookOf(pdf, annotation);
  if (rect === null || look === null || (await isEmpty(pdf, rect))) return null;
  const kept = ['OC', 'P', 'Border'].flatMap((key): [string, PdfObject][] => {
    const value = annotation.get(key);
    return value === undefined ? [] : [[key, value]];
  });
  return new Map([
    ...dict({
      Type: new PdfName('Annot'),
      Subtype: new PdfName('Stamp'),
      Rect: rect,
      F: asPrinted,
      AP: dict({ N: look }),
    }),
    ...kept,
  ]);
}

/** The normal look, of the state that is on where there are several (§12.5.5). */
async function lookOf(pdf: Pdf, annotation: PdfDict): Promise<PdfObject> {
  const looks = await pdf.resolve(annotation.get('AP'));
  const normal = isDict(looks) ? looks.get('N') : undefined;
  const resolved = await pdf.resolve(normal);
  if (resolved instanceof PdfStream) return normal ?? null;
  const state = await pdf.resolve(annotation.get('AS'));
  if (!isDict(resolved) || !(state instanceof PdfName)) return null;
  const chosen = resolved.get(state.value);
  return (await pdf.resolve(chosen)) instanceof PdfStream ? (chosen ?? null) : null;
}

async function isEmpty(pdf: Pdf, rect: readonly PdfObject[]): Promise<boolean> {
  const numbers = await Promise.all(rect.slice(0, 4).map((value) => pdf.resolve(value)));
  const [a, b, c, d] = numbers.map(Number);
  return a === c || b === d;
}
