import { PadesError } from '../errors.ts';
import { decodeStream } from './filters.ts';
import type { DecodingBudget } from './filters.ts';
import { PdfName, PdfStream, isName } from './objects.ts';
import type { PdfDict, PdfObject } from './objects.ts';
import { rangeFinder } from './range-index.ts';
import { readRawStream } from './stream-data.ts';
import type { WindowReader } from './window-reader.ts';
import type { XrefEntry, XrefSection } from './xref.ts';

/** Object numbers above this are damage: no reader copes with them. */
export const maxObjectNumber = 8_388_607;

/** Reads a cross-reference stream (ISO 32000-2 §7.5.8) as far as its dictionary. */
export async function streamSection(reader: WindowReader, position: number, bias: number, budget: DecodingBudget): Promise<XrefSection> {
  const object = await reader.indirectObject(position + bias);
  const stream = object?.value;
  if (!(stream instanceof PdfStream) || !isName(stream.dict.get('Type'), 'XRef')) {
    throw damaged('no cross-reference section where one is announced');
  }
  const { widths, ranges } = streamLayout(stream.dict);
  const find = rangeFinder(ranges, 'first', reader.work);
  let rows: Uint8Array | null = null;
  let loading: Promise<Uint8Array> | null = null;
  const load = async (): Promise<Uint8Array> => {
    const raw = await readRawStream(reader, stream, stream.dict.get('Length'));
    const decoded = decodeStream(raw, stream.dict, budget);
    if (decoded === null) throw damaged('cross-reference stream cannot be decoded');
    budget.rows -= decoded.length;
    if (budget.rows < 0) throw new PadesError('TOO_COMPLEX', 'cross-reference streams inflate beyond bounds');
    rows = decoded;
    return decoded;
  };
  return {
    form: 'stream',
    hybrid: null,
    ambiguous: object === null || object.ambiguous || object.strange || object.commented,
    incomplete: false,
    end: stream.offset,
    isPlain: async () => streamIsPlain(stream.dict, rows ?? (await load()), widths, ranges),
    numbers: () => numbersOf(ranges.map(({ first, count }) => [first, count])),
    trailer: stream.dict,
    position,
    limit: checkedLimit(ranges.reduce((most, { first, count }) => Math.max(most, first + count), 0)),
    count: countOf(ranges),
    lookup(num) {
      const range = find(num);
      if (range === undefined) return undefined;
      const index = range.row + num - range.first;
      if (rows !== null) return streamEntry(rows, widths, index, bias);
      loading ??= load();
      return loading.then((loaded) => streamEntry(loaded, widths, index, bias));
    },
  };
}

/** One by one, the numbers of ranges. */
export function* numbersOf(ranges: readonly (readonly [number, number])[]): Iterable<number> {
  for (const [first, count] of ranges) for (let num = first; num < first + count; num++) yield num;
}

/** Numbers of a cross-reference stream, and the row where they begin. */
interface StreamRange {
  readonly first: number;
  readonly count: number;
  readonly row: number;
}

function streamLayout(dict: PdfDict): { widths: number[]; ranges: StreamRange[] } {
  const w = dict.get('W');
  const widths = Array.isArray(w) ? w.slice(0, 3).map(Number) : [];
  if (widths.length !== 3 || widths.some((n) => !Number.isInteger(n) || n < 0 || n > 8)) {
    throw damaged('bad W in a cross-reference stream');
  }
  const index = dict.get('Index');
  const flat = Array.isArray(index) ? index.map(Number) : [0, Number(dict.get('Size') ?? 0)];
  if (flat.some((n) => !Number.isInteger(n) || n < 0)) throw damaged('bad Index');
  const ranges: StreamRange[] = [];
  for (let i = 0, row = 0; i + 1 < flat.length; i += 2) {
    const [first = 0, count = 0] = flat.slice(i, i + 2);
    ranges.push({ first, count, row });
    row += count;
  }
  return { widths, ranges };
}

function streamEntry(rows: Uint8Array, widths: number[], index: number, bias: number): XrefEntry | undefined {
  const [one = 0, two = 0, three = 0] = widths;
  const at = index * (one + two + three);
  if (at + one + two + three > rows.length) return undefined;
  const type = one === 0 ? 1 : bigEndian(rows, at, one);
  const second = bigEndian(rows, at + one, two);
  const third = bigEndian(rows, at + one + two, three);
  if (type === 1 && second > 0) return { kind: 'offset', offset: second + bias, gen: third };
  if (type === 2) return { kind: 'compressed', stream: second, index: third };
  return { kind: 'free' };
}

function bigEndian(bytes: Uint8Array, at: number, size: number): number {
  let value = 0;
  for (let i = at; i < at + size; i++) value = value * 256 + (bytes[i] ?? 0);
  return value;
}

/**
 * Every entry of the dictionary that a reader needs is written where it stands, the rows are all there, none too many, and of
 * a known type. A reader that expects no more finds nothing else in it.
 */
function streamIsPlain(dict: PdfDict, rows: Uint8Array, widths: readonly number[], ranges: readonly StreamRange[]): boolean {
  const [one = 0, two = 0, three = 0] = widths;
  const width = one + two + three;
  const w = dict.get('W');
  const index = dict.get('Index') ?? [];
  if (!Array.isArray(index)) return false;
  const stated = [dict.get('Size'), dict.get('Length'), dict.get('Prev') ?? 0, ...index];
  if (!Array.isArray(w) || w.length !== 3 || stated.some((value) => !Number.isInteger(value))) return false;
  if (!isPlainFilter(dict.get('Filter')) || rows.length !== countOf(ranges) * width || one > 1) return false;
  for (let at = 0; at < rows.length; at += width) {
    const type = one === 0 ? 1 : (rows[at] ?? 0);
    if (type > 2 || (type === 1 && bigEndian(rows, at + one, two) === 0)) return false;
  }
  return true;
}

function isPlainFilter(filter: PdfObject | undefined): boolean {
  const [only, more] = Array.isArray(filter) ? filter : [filter];
  return more === undefined && (only === undefined || only instanceof PdfName);
}

export function countOf(ranges: readonly { readonly count: number }[]): number {
  return ranges.reduce((sum, { count }) => sum + count, 0);
}

export function checkedLimit(limit: number): number {
  if (limit > maxObjectNumber + 1) throw damaged('object numbers out of bounds');
  return limit;
}

export function damaged(message: string): PadesError {
  return new PadesError('DAMAGED', message);
}
