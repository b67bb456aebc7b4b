import { PadesError } from '../errors.ts';
import { inflate } from './deflate.ts';
import { PdfName, isDict } from './objects.ts';
import type { PdfDict, PdfObject } from './objects.ts';

/** No cross-reference or object stream of a sane file is larger; a zip bomb is. */
export const maxDecoded = 128 << 20;

/**
 * Decodes a stream's data through the filters that structure streams use. `dict` must hold direct values
 * (resolve them first). Null: a filter that is not for structure (images, encryption, …).
 */
export function decodeStream(data: Uint8Array, dict: PdfDict): Uint8Array | null {
  const filters = asArray(dict.get('Filter') ?? dict.get('F'));
  const parameters = asArray(dict.get('DecodeParms') ?? dict.get('DP'));
  if (filters.length > 8) return null;
  let current: Uint8Array | null = data;
  filters.forEach((filter, index) => {
    if (current === null) return;
    const given = parameters[index];
    const parms: PdfDict = isDict(given) ? given : new Map();
    current = applyFilter(filter instanceof PdfName ? filter.value : '', current, parms);
  });
  return current;
}

function asArray(value: PdfObject | undefined): PdfObject[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

function applyFilter(filter: string, data: Uint8Array, parms: PdfDict): Uint8Array | null {
  switch (filter) {
    case 'FlateDecode':
    case 'Fl': {
      const inflated = inflate(data, maxDecoded);
      if (inflated === null) throw new PadesError('TOO_COMPLEX', 'a stream inflates beyond bounds');
      return unpredict(inflated, parms);
    }
    case 'ASCIIHexDecode':
    case 'AHx':
      return asciiHex(data);
    case 'ASCII85Decode':
    case 'A85':
      return ascii85(data);
    case 'LZWDecode':
    case 'LZW':
      return unpredict(lzw(data, integer(parms, 'EarlyChange', 1)), parms);
    default:
      return null;
  }
}

function integer(parms: PdfDict, key: string, fallback: number): number {
  const value = parms.get(key);
  return typeof value === 'number' && Number.isInteger(value) ? value : fallback;
}

/** PNG and TIFF predictors (ISO 32000-2 §7.4.4.4). */
function unpredict(data: Uint8Array, parms: PdfDict): Uint8Array {
  const predictor = integer(parms, 'Predictor', 1);
  if (predictor < 2) return data;
  const colors = integer(parms, 'Colors', 1);
  const bits = integer(parms, 'BitsPerComponent', 8);
  const columns = integer(parms, 'Columns', 1);
  const pixel = Math.max(1, (colors * bits) >> 3);
  const row = (colors * bits * columns + 7) >> 3;
  if (row < 1 || row > 1 << 24 || pixel > row) return data;
  if (predictor === 2) return bits === 8 ? tiffRows(data, row, pixel) : data;
  return pngRows(data, row, pixel);
}

function tiffRows(data: Uint8Array, row: number, pixel: number): Uint8Array {
  const out = Uint8Array.from(data);
  for (let start = 0; start < out.length; start += row) {
    for (let i = start + pixel; i < Math.min(start + row, out.length); i++) {
      out[i] = ((out[i] ?? 0) + (out[i - pixel] ?? 0)) & 255;
    }
  }
  return out;
}

/** Undoes PNG row filters (also used for PNG images). `data` = rows of 1 type byte + `row` bytes. */
export function pngRows(data: Uint8Array, row: number, pixel: number): Uint8Array {
  const rows = Math.ceil(data.length / (row + 1));
  const out = new Uint8Array(rows * row);
  for (let r = 0; r < rows; r++) {
    const type = data[r * (row + 1)] ?? 0;
    const from = r * (row + 1) + 1;
    const to = r * row;
    for (let i = 0; i < row; i++) {
      const left = i >= pixel ? (out[to + i - pixel] ?? 0) : 0;
      const up = r > 0 ? (out[to + i - row] ?? 0) : 0;
      const corner = r > 0 && i >= pixel ? (out[to + i - row - pixel] ?? 0) : 0;
      out[to + i] = ((data[from + i] ?? 0) + prediction(type, left, up, corner)) & 255;
    }
  }
  return out;
}

function prediction(type: number, left: number, up: number, corner: number): number {
  if (type === 1) return left;
  if (type === 2) return up;
  if (type === 3) return (left + up) >> 1;
  if (type !== 4) return 0;
  const p = left + up - corner;
  const a = Math.abs(p - left);
  const b = Math.abs(p - up);
  const c = Math.abs(p - corner);
  return a <= b && a <= c ? left : b <= c ? up : corner;
}

function asciiHex(data: Uint8Array): Uint8Array {
  const out: number[] = [];
  let high = -1;
  for (const c of data) {
    if (c === 0x3e) break;
    const digit = Number.parseInt(String.fromCharCode(c), 16);
    if (Number.isNaN(digit)) continue;
    if (high < 0) high = digit;
    else {
      out.push(high * 16 + digit);
      high = -1;
    }
  }
  if (high >= 0) out.push(high * 16);
  return Uint8Array.from(out);
}

function ascii85(data: Uint8Array): Uint8Array {
  const out: number[] = [];
  let group: number[] = [];
  const flush = (digits: number[]): void => {
    const padded = [...digits, 84, 84, 84, 84].slice(0, 5);
    const value = padded.reduce((sum, digit) => sum * 85 + digit, 0);
    const bytes = [value / 16777216, value / 65536, value / 256, value].map((v) => v & 255);
    out.push(...bytes.slice(0, digits.length - 1));
  };
  for (const c of data) {
    if (c === 0x7e) break;
    if (c === 0x7a && group.length === 0) out.push(0, 0, 0, 0);
    else if (c >= 0x21 && c <= 0x75) group.push(c - 0x21);
    if (group.length === 5) {
      flush(group);
      group = [];
    }
  }
  if (group.length > 1) flush(group);
  return Uint8Array.from(out);
}

function lzw(data: Uint8Array, early: number): Uint8Array {
  const out: number[] = [];
  let table: number[][] = [];
  let previous: number[] | null = null;
  let width = 9;
  let buffer = 0;
  let count = 0;
  for (const byte of data) {
    buffer = ((buffer << 8) | byte) & 0xffffff;
    count += 8;
    if (count < width) continue;
    count -= width;
    const code = (buffer >> count) & ((1 << width) - 1);
    if (code === 257 || out.length > maxDecoded) break;
    if (code === 256) {
      table = [];
      previous = null;
      width = 9;
      continue;
    }
    const known = code < 256 ? [code] : table[code - 258];
    const entry: number[] | null = known ?? (previous === null ? null : [...previous, previous[0] ?? 0]);
    if (entry === null) break;
    for (const value of entry) out.push(value);
    if (previous !== null && table.length < 3838) table.push([...previous, entry[0] ?? 0]);
    previous = entry;
    const size = table.length + 258 + early;
    width = size >= 2048 ? 12 : size >= 1024 ? 11 : size >= 512 ? 10 : 9;
  }
  return Uint8Array.from(out);
}
