import { hexValue } from './hex.ts';
import type { PdfObject } from './objects.ts';

const whites = new Set([0, 9, 10, 12, 13, 32]);
/** Of a hexadecimal string: nothing in it that readers pass over. */
export function isHexAndWhite(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const c = bytes[at] ?? 0;
    if (hexValue(c) < 0 && !whites.has(c)) return false;
  }
  return true;
}

/** A letter, a digit, or the NUL that no name may have: nobody need spell it by its number. */
export function isPlainNameChar(code: number): boolean {
  return code === 0 || (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);
}

/** Entries whose number need not be whole. */
const realKeys = new Set(
  'R PZ UserUnit Leading ItalicAngle LW ML FL SM ca CA StemV StemH XHeight CapHeight Ascent Descent MissingWidth AvgWidth MaxWidth FontWeight XStep YStep Gamma Dur D W'.split(
    ' ',
  ),
);
const wholeLists = new Set(['W', 'Index']);

/** Where a whole number, or a list of them, is due. */
export function isWholeDue(key: string, value: PdfObject): boolean {
  // W of a font lists lists, and widths that need not be whole.
  if (Array.isArray(value)) return wholeLists.has(key) && value.length < 64 && (key !== 'W' || value.every(Number.isInteger));
  return typeof value === 'number' && Number.isInteger(value) && !realKeys.has(key);
}
