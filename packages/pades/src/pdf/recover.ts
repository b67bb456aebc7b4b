import { PadesError } from '../errors.ts';
import type { PdfSource } from '../source.ts';

/** What a scan of the whole file finds, in file order. Offsets are absolute. */
export interface Scan {
  objects: { num: number; gen: number; offset: number }[];
  /** Offsets of `trailer` keywords. */
  trailers: number[];
  /** Offsets of objects that mention /ObjStm or /XRef: candidates, to be parsed. */
  objectStreams: number[];
  xrefStreams: number[];
  /** Offsets of objects that mention /Catalog: candidates for a root when no trailer names one. */
  catalogs: number[];
}

const chunkSize = 1 << 20;
const overlap = 64;
const maxScanned = 4_000_000;

/** Reads the file once, 1 MiB at a time, for `num gen obj` and the marks that recovery needs. */
export async function scanFile(source: PdfSource): Promise<Scan> {
  const scan: Scan = {
    objects: [],
    trailers: [],
    objectStreams: [],
    xrefStreams: [],
    catalogs: [],
  };
  for (let start = 0; start < source.size; start += chunkSize) {
    const from = Math.max(0, start - overlap);
    const end = Math.min(source.size, start + chunkSize + overlap);
    const bytes = await source.read(from, end - from);
    scanChunk(bytes, from, start, Math.min(source.size, start + chunkSize), scan);
    if (scan.objects.length > maxScanned) throw new PadesError('TOO_COMPLEX', 'too many objects');
  }
  return scan;
}

/** Collects what begins in [`low`, `high`). Object headers are attributed by their `obj` keyword. */
function scanChunk(bytes: Uint8Array, base: number, low: number, high: number, scan: Scan): void {
  for (let i = Math.max(0, low - base); i < high - base; i++) {
    const c = bytes[i];
    if (c === 0x6f && matches(bytes, i, 'obj')) {
      const header = headerBefore(bytes, i);
      if (header !== null) scan.objects.push({ ...header, offset: base + header.offset });
    } else if (c === 0x74 && matches(bytes, i, 'trailer')) {
      scan.trailers.push(base + i);
    } else if (c === 0x2f) {
      const current = scan.objects.at(-1)?.offset;
      if (current === undefined) continue;
      if (matches(bytes, i, '/ObjStm')) pushOnce(scan.objectStreams, current);
      else if (matches(bytes, i, '/XRef') && bytes[i + 5] !== 0x53) pushOnce(scan.xrefStreams, current);
      else if (matches(bytes, i, '/Catalog')) pushOnce(scan.catalogs, current);
    }
  }
}

function pushOnce(list: number[], offset: number): void {
  if (list.at(-1) !== offset) list.push(offset);
}

function matches(bytes: Uint8Array, at: number, word: string): boolean {
  for (let i = 0; i < word.length; i++) if (bytes[at + i] !== word.charCodeAt(i)) return false;
  return true;
}

/** Reads `num gen ` backwards from the `obj` keyword. */
function headerBefore(bytes: Uint8Array, at: number): { num: number; gen: number; offset: number } | null {
  let i = at - 1;
  const gen = digitsBefore(bytes, skipWhiteBefore(bytes, i));
  if (gen === null || gen.value > 65535) return null;
  i = skipWhiteBefore(bytes, gen.start - 1);
  if (i === gen.start - 1) return null;
  const num = digitsBefore(bytes, i);
  if (num === null || num.value > 8_388_607) return null;
  return { num: num.value, gen: gen.value, offset: num.start };
}

function skipWhiteBefore(bytes: Uint8Array, from: number): number {
  let i = from;
  while (i >= 0 && from - i < 16 && [0, 9, 10, 12, 13, 32].includes(bytes[i] ?? -1)) i--;
  return i;
}

function digitsBefore(bytes: Uint8Array, from: number): { value: number; start: number } | null {
  let i = from;
  while (i >= 0 && from - i < 10 && (bytes[i] ?? 0) >= 0x30 && (bytes[i] ?? 0) <= 0x39) i--;
  if (i === from) return null;
  return { value: Number(String.fromCharCode(...bytes.subarray(i + 1, from + 1))), start: i + 1 };
}
