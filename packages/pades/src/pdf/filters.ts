import { PadesError } from '../errors.ts';
import { inflate } from './deflate.ts';
import { PdfName, isDict } from './objects.ts';
import type { PdfDict, PdfObject } from './objects.ts';

/** No cross-reference or object stream of a sane file is larger; a zip bomb is. */
export const maxDecoded = 128 << 20;
/** What is decoded here, byte by byte, is slower than inflating by this much, and as much less of it is decoded. */
const slowness = 16;
const maxSlow = 32 << 20;

/** What decoding a file may cost altogether: a hundred bytes inflate to a hundred megabytes, as often as they are asked for. */
export interface DecodingBudget {
  /** Bytes that filters may still give. */
  work: number;
  /** Bytes of cross-reference streams that may still be kept. */
  rows: number;
}

export function decodingBudget(fileSize: number): DecodingBudget {
  return { work: (256 << 20) + 64 * fileSize, rows: 384 << 20 };
}

/**
 * Decodes a stream's data through the filters that structure streams use. `dict` must hold direct values
 * (resolve them first). Null: a filter that is not for structure (images, encryption, …).
 */
export function decodeStream(data: Uint8Array, dict: PdfDict, budget: DecodingBudget): Uint8Array | null {
  const filters = asArray(dict.get('Filter') ?? dict.get('F'));
  const parameters = asArray(dict.get('DecodeParms') ?? dict.get('DP'));
  if (filters.length > 8) return null;
  let current: Uint8Array | null = data;
  filters.forEach((filter, index) => {
    if (current === null) return;
    const given = parameters[index];
    const parms: PdfDict = isDict(given) ? given : new Map();
    const name = filter instanceof PdfName ? filter.value : '';
    const isQuick = quick.has(name);
    if (!isQuick) budget.work -= slowness * current.length;
    if (budget.work < 0) throw new PadesError('TOO_COMPLEX', 'streams decode beyond bounds');
    current = applyFilter(name, current, parms);
    budget.work -= (isQuick ? 1 : slowness) * (current?.length ?? 0);
    if (budget.work < 0) throw new PadesError('TOO_COMPLEX', 'streams decode beyond bounds');
  });
  return current;
}

function asArray(value: PdfObject | undefined): PdfObject[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

const quick = new Set(['FlateDecode', 'Fl']);

function applyFilter(filter: string, data: Uint8Array, parms: PdfDict): Uint8Array | null {
  switch (filter) {
    case 'FlateDecode':
    case 'Fl': {
      const inflated = inflate(data, maxDecoded);
      if (inflated === null) throw new PadesError('TOO_COMPLEX', 'a stream inflates beyond bounds');
      return unpredict(inflated, parms);
    }
    // Decrypted before the filters, as it says (§7.4.10).
    case 'Crypt':
      return data;
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

/** Decoded bytes as they come, never more than `maxSlow`: lists of numbers take eight times the room. */
class Sink {
  private bytes: Uint8Array;
  private length = 0;

  constructor(expected: number) {
    this.bytes = new Uint8Array(Math.min(maxSlow, Math.max(64, expected)));
  }

  /** Room for `count` more bytes. Throws TOO_COMPLEX beyond the bound. */
  private reserve(count: number): void {
    const needed = this.length + count;
    if (needed <= this.bytes.length) return;
    if (needed > maxSlow) throw new PadesError('TOO_COMPLEX', 'a stream decodes beyond bounds');
    const larger = new Uint8Array(Math.min(maxSlow, Math.max(needed, this.bytes.length * 2)));
    larger.set(this.bytes.subarray(0, this.length));
    this.bytes = larger;
  }

  push(byte: number): void {
    this.reserve(1);
    this.bytes[this.length++] = byte;
  }

  /** `size` bytes of what was written, from `start` on; the copy may reach into itself by one byte. */
  repeat(start: number, size: number): void {
    this.reserve(size);
    for (let i = 0; i < size; i++) this.bytes[this.length++] = this.bytes[start + i] ?? 0;
  }

  get size(): number {
    return this.length;
  }

  get result(): Uint8Array {
    return this.bytes.subarray(0, this.length);
  }
}

function asciiHex(data: Uint8Array): Uint8Array {
  const out = new Sink((data.length + 1) >> 1);
  let high = -1;
  for (const c of data) {
    if (c === 0x3e) break;
    const digit = hexDigit(c);
    if (digit < 0) continue;
    if (high < 0) high = digit;
    else {
      out.push(high * 16 + digit);
      high = -1;
    }
  }
  if (high >= 0) out.push(high * 16);
  return out.result;
}

function hexDigit(c: number): number {
  if (c >= 0x30 && c <= 0x39) return c - 0x30;
  const lower = c | 32;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

function ascii85(data: Uint8Array): Uint8Array {
  const out = new Sink(data.length);
  let value = 0;
  let count = 0;
  const flush = (digits: number): void => {
    for (let i = 0; i < digits - 1; i++) out.push(Math.floor(value / 256 ** (3 - i)) & 255);
    value = 0;
    count = 0;
  };
  for (const c of data) {
    if (c === 0x7e) break;
    if (c === 0x7a && count === 0) flush(5);
    else if (c >= 0x21 && c <= 0x75) {
      value = value * 85 + c - 0x21;
      count++;
    }
    if (count === 5) flush(5);
  }
  if (count > 1) {
    const digits = count;
    for (; count < 5; count++) value = value * 85 + 84;
    flush(digits);
  }
  return out.result;
}

/** A code stands for bytes written before: where they began and how many (ISO 32000-2 §7.4.4.2). */
function lzw(data: Uint8Array, early: number): Uint8Array {
  const out = new Sink(data.length * 2);
  const starts = new Uint32Array(4096);
  const sizes = new Uint32Array(4096);
  let next = 258;
  let previous: { start: number; size: number } | null = null;
  let width = 9;
  let buffer = 0;
  let count = 0;
  for (const byte of data) {
    buffer = ((buffer << 8) | byte) & 0xffffff;
    count += 8;
    if (count < width) continue;
    count -= width;
    const code = (buffer >> count) & ((1 << width) - 1);
    if (code === 257) break;
    if (code === 256) {
      next = 258;
      previous = null;
      width = 9;
      continue;
    }
    const start = out.size;
    if (code < 256) out.push(code);
    else if (code < next) out.repeat(starts[code] ?? 0, sizes[code] ?? 0);
    else if (previous === null) break;
    else out.repeat(previous.start, previous.size + 1);
    if (previous !== null && next < 4096) {
      // The previous code's bytes and the first of this one's: they stand in a row already.
      starts[next] = previous.start;
      sizes[next] = previous.size + 1;
      next++;
    }
    previous = { start, size: out.size - start };
    const size = next + early;
    width = size >= 2048 ? 12 : size >= 1024 ? 11 : size >= 512 ? 10 : 9;
  }
  return out.result;
}
