import { sameBytes } from '../../asn1/der.ts';
import { PdfName, PdfRef, PdfStream, PdfString, isDict } from '../../pdf/objects.ts';
import type { PdfDict, PdfObject } from '../../pdf/objects.ts';
import type { Pdf } from '../../pdf/pdf.ts';

/** Equal as written: references by number, nothing is followed. Streams are compared by `sameObject`. */
export function sameValue(a: PdfObject | undefined, b: PdfObject | undefined): boolean {
  if (a === b) return true;
  if (a === undefined || b === undefined || a === null || b === null) return (a ?? null) === (b ?? null);
  // Writers that read and rewrite a number lose its last bits.
  if (typeof a === 'number') return typeof b === 'number' && sameNumber(a, b);
  if (a instanceof PdfName) return b instanceof PdfName && a.value === b.value;
  if (a instanceof PdfRef) return b instanceof PdfRef && a.num === b.num && a.gen === b.gen;
  if (a instanceof PdfString) return b instanceof PdfString && sameBytes(a.bytes, b.bytes);
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, index) => sameValue(item, b[index]));
  if (isDict(a)) return isDict(b) && changedKeys(a, b).length === 0;
  return false;
}

function sameNumber(a: number, b: number): boolean {
  if (Number.isInteger(a) && Number.isInteger(b)) return a === b;
  return Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a));
}

/** Keys whose values are not equal as written. */
export function changedKeys(before: PdfDict, after: PdfDict): string[] {
  const keys = new Set([...before.keys(), ...after.keys()]);
  return [...keys].filter((key) => !sameValue(before.get(key), after.get(key)));
}

/** Equal objects, streams by their undecoded data too. */
export async function sameObject(before: Pdf, a: PdfObject, after: Pdf, b: PdfObject): Promise<boolean> {
  if (!(a instanceof PdfStream) || !(b instanceof PdfStream)) return sameValue(a, b);
  // A length that became an object of its own could be changed later, unseen.
  if (changedKeys(a.dict, b.dict).some((key) => key !== 'Length' || b.dict.get(key) instanceof PdfRef)) return false;
  return sameBytes(await before.rawStreamData(a), await after.rawStreamData(b));
}

/** Equal as written, or both resolve to equal values. */
export async function sameResolved(before: Pdf, a: PdfObject | undefined, after: Pdf, b: PdfObject | undefined): Promise<boolean> {
  if (sameValue(a, b) && !(a instanceof PdfRef)) return true;
  return sameValue(await before.resolve(a), await after.resolve(b));
}
