import { hexValue } from './hex.ts';
import type { PdfObject } from './objects.ts';

const whites = new Set([0, 9, 10, 12, 13, 32]);
const delimiters = new Set([...'()<>[]{}/%'].map((char) => char.charCodeAt(0)));

function endsToken(code: number): boolean {
  return whites.has(code) || delimiters.has(code);
}

/** ISO 32000-2 §7.3.3: a sign at most, digits, a point at most. */
export function isNumberByTheBook(bytes: Uint8Array, start: number, end: number): boolean {
  let at = start;
  if (bytes[at] === 0x2b || bytes[at] === 0x2d) at++;
  let digits = 0;
  let points = 0;
  for (; at < end; at++) {
    const c = bytes[at] ?? 0;
    if (c >= 0x30 && c <= 0x39) digits++;
    else if (c === 0x2e) points++;
    else return false;
  }
  const next = bytes[end];
  return digits > 0 && points < 2 && (next === undefined || endsToken(next));
}

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
  'R UserUnit Leading ItalicAngle LW ML FL SM ca CA StemV StemH XHeight CapHeight Ascent Descent MissingWidth AvgWidth MaxWidth FontWeight XStep YStep Gamma Dur D W'.split(
    ' ',
  ),
);
const wholeLists = new Set(['W', 'Index']);

/** A whole number written with a point where a whole one is due: half of the readers take it for none at all. */
export function isWholeWithPoint(key: string, value: PdfObject, bytes: Uint8Array, start: number, end: number): boolean {
  const isDue = Array.isArray(value) ? wholeLists.has(key) && value.length < 64 : typeof value === 'number' && !realKeys.has(key);
  return isDue && (Array.isArray(value) || Number.isInteger(value)) && bytes.subarray(start, end).includes(0x2e);
}
