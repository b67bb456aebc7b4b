import { PadesError } from '../errors.ts';
import { decodeStream } from './filters.ts';
import type { DecodingBudget } from './filters.ts';
import { PdfStream, isDict, isName } from './objects.ts';
import type { PdfDict } from './objects.ts';
import { readRawStream } from './stream-data.ts';
import { rangeFinder } from './range-index.ts';
import type { WindowReader } from './window-reader.ts';

export type XrefEntry =
  | { kind: 'offset'; offset: number; gen: number }
  | { kind: 'compressed'; stream: number; index: number }
  | { kind: 'free' };

/** One cross-reference section, looked up entry by entry: nothing is read that is not asked for. */
export interface XrefSection {
  readonly form: 'table' | 'stream';
  readonly trailer: PdfDict;
  /** Where the section begins, as written in the file (before any bias). */
  readonly position: number;
  /** One more than the highest object number it names. */
  readonly limit: number;
  /** At once when nothing need be read for it. */
  lookup(num: number): XrefEntry | undefined | Promise<XrefEntry | undefined>;
  /** Every object number it speaks of; one may come twice. */
  numbers(): Iterable<number>;
  /** How many those are. */
  readonly count: number;
  /** Table and stream together (§7.5.8.4): readers choose differently between the two. */
  readonly hybrid: boolean;
  /** Its dictionary says something twice, or cannot be read without guessing. */
  readonly ambiguous: boolean;
  /** It announces a stream (XRefStm) that is not there. */
  readonly incomplete: boolean;
}

/** Object numbers above this are damage: no reader copes with them. */
export const maxObjectNumber = 8_388_607;
const maxSections = 2048;

/**
 * Follows Prev from `start`, newest section first. `bias` is added to every offset (bytes before %PDF-). `known`: sections
 * read before, in the same order; where Prev meets one of them, the rest is theirs.
 */
export async function loadSections(
  reader: WindowReader,
  start: number,
  bias: number,
  budget: DecodingBudget,
  known: readonly XrefSection[] = [],
): Promise<XrefSection[]> {
  const sections: XrefSection[] = [];
  const seen = new Set<number>();
  for (let position: number | null = start; position !== null;) {
    if (seen.has(position)) break;
    const index = known.findIndex((one) => one.position === position);
    if (index >= 0) return [...sections, ...known.slice(index)];
    if (seen.size >= maxSections) throw new PadesError('TOO_COMPLEX', 'too many revisions');
    seen.add(position);
    const section: XrefSection = await loadSection(reader, position, bias, budget);
    sections.push(section);
    const prev: unknown = section.trailer.get('Prev');
    position = typeof prev === 'number' && prev > 0 ? Math.floor(prev) : null;
  }
  return sections;
}

async function loadSection(reader: WindowReader, position: number, bias: number, budget: DecodingBudget): Promise<XrefSection> {
  if (position + bias >= reader.source.size) throw damaged('startxref or Prev points past the end');
  const isTable = await reader.parseAt(position + bias, (parser) => {
    parser.skipWhite();
    parser.peek();
    return parser.bytes[parser.position] === 0x78;
  });
  if (!isTable) return streamSection(reader, position, bias, budget);
  const table = await tableSection(reader, position, bias);
  const hybrid = table.trailer.get('XRefStm');
  if (typeof hybrid !== 'number' || hybrid <= 0) return table;
  const extra = await streamSection(reader, hybrid, bias, budget).catch(() => null);
  return extra === null ? { ...table, incomplete: true } : hybridSection(table, extra);
}

/** ISO 32000-2 §7.5.8.4: the table's in-use entries, then the XRefStm, and only then the table's free ones. */
function hybridSection(table: XrefSection, extra: XrefSection): XrefSection {
  return {
    ...table,
    hybrid: true,
    ambiguous: table.ambiguous || extra.ambiguous,
    *numbers() {
      yield* table.numbers();
      yield* extra.numbers();
    },
    limit: Math.max(table.limit, extra.limit),
    count: table.count + extra.count,
    async lookup(num) {
      const entry = await table.lookup(num);
      if (entry !== undefined && entry.kind !== 'free') return entry;
      return (await extra.lookup(num)) ?? entry;
    },
  };
}

interface Rows {
  first: number;
  /** `first` as the file states it. */
  stated: number;
  count: number;
  /** Where the 20-byte rows begin, or the entries themselves when the rows are irregular. */
  at: number;
  parsed: XrefEntry[] | null;
}

async function tableSection(reader: WindowReader, position: number, bias: number): Promise<XrefSection> {
  let at = await reader.parseAt(position + bias, (parser) => {
    parser.skipWhite();
    const word = parser.bytes.subarray(parser.position, parser.position + 4);
    if (String.fromCharCode(...word) !== 'xref') throw damaged('no xref keyword');
    return position + bias + parser.position + 4;
  });
  const subsections: Rows[] = [];
  for (;;) {
    const step = await readSubsection(reader, at, bias);
    if ('trailer' in step) {
      // Only a file's first table is numbered from 1 by mistake: in an update the row is what it says, object 1 freed.
      if (step.trailer.has('Prev')) for (const rows of subsections) rows.first = rows.stated;
      const limit = subsections.reduce((most, rows) => Math.max(most, rows.first + rows.count), 0);
      let find: ReturnType<typeof rangeFinder<Rows>> | null = null;
      return {
        form: 'table',
        hybrid: false,
        ambiguous: step.ambiguous,
        incomplete: false,
        numbers: () => numbersOf(subsections.map((rows): [number, number] => [rows.first, rows.count])),
        trailer: step.trailer,
        position,
        limit: checkedLimit(limit),
        count: countOf(subsections),
        lookup: (num) => {
          find ??= rangeFinder(subsections, 'last', reader.work);
          const rows = find(num);
          return rows === undefined ? undefined : lookupRow(reader, rows, num, bias);
        },
      };
    }
    if (subsections.length > 1 << 20) throw new PadesError('TOO_COMPLEX', 'too many subsections');
    subsections.push(step.rows);
    at = step.next;
  }
}

async function readSubsection(
  reader: WindowReader,
  at: number,
  bias: number,
): Promise<{ trailer: PdfDict; ambiguous: boolean } | { rows: Rows; next: number }> {
  const header = await reader.parseAt(at, (parser) => {
    parser.skipWhite();
    if (parser.peek() === 0x74) {
      parser.position += 7;
      const trailer = parser.parse();
      if (!isDict(trailer as PdfDict)) throw damaged('no trailer dictionary');
      return { trailer: trailer as PdfDict, ambiguous: parser.ambiguous };
    }
    const first = parser.plainInteger();
    const count = first < 0 ? -1 : parser.plainInteger();
    if (first < 0 || count < 0 || first + count > maxObjectNumber + 1) {
      throw damaged('bad xref subsection');
    }
    parser.skipWhite();
    return { first, count, rowsAt: at + parser.position };
  });
  if (header.trailer !== undefined) return { trailer: header.trailer, ambiguous: header.ambiguous };
  const { first, count, rowsAt } = header;
  const regular = await rowsAreRegular(reader, rowsAt, count);
  if (!regular) return irregularRows(reader, first, count, rowsAt, bias);
  // Some writers number the first table from 1 although its first row is object 0's.
  const opening = count > 0 && first === 1 ? readRow(await reader.window(rowsAt, 20)) : null;
  const shifted = opening?.offset === 0 && opening.gen === 65535 && opening.isFree ? 0 : first;
  return {
    rows: { first: shifted, stated: first, count, at: rowsAt, parsed: null },
    next: rowsAt + count * 20,
  };
}

/** Twenty bytes of a table: ten digits, five digits, `n` or `f`. Null when it is none. */
function readRow(row: Uint8Array): { offset: number; gen: number; isFree: boolean } | null {
  const kind = row[17];
  const offset = digits(row, 0, 10);
  const gen = digits(row, 11, 16);
  if (offset < 0 || gen < 0 || row[10] !== 0x20 || row[16] !== 0x20 || (kind !== 0x6e && kind !== 0x66)) return null;
  return { offset, gen, isFree: kind === 0x66 };
}

function digits(row: Uint8Array, from: number, to: number): number {
  let value = 0;
  for (let i = from; i < to; i++) {
    const digit = (row[i] ?? 0) - 0x30;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
  }
  return value;
}

async function rowsAreRegular(reader: WindowReader, at: number, count: number): Promise<boolean> {
  if (count === 0) return true;
  if (readRow(await reader.window(at, 20)) === null) return false;
  if (readRow(await reader.window(at + (count - 1) * 20, 20)) === null) return false;
  const after = String.fromCharCode(...(await reader.window(at + count * 20, 40)));
  return /^\s*(trailer|\d+\s+\d+\s)/.test(after);
}

/** Rows of another length than 20 bytes, or fewer rows than announced: read one by one. */
function irregularRows(
  reader: WindowReader,
  first: number,
  count: number,
  at: number,
  bias: number,
): Promise<{ rows: Rows; next: number }> {
  return reader.parseAt(
    at,
    (parser) => {
      const parsed: XrefEntry[] = [];
      while (parsed.length < count) {
        parser.skipWhite();
        if (parser.peek() === 0x74) break;
        const offset = parser.plainInteger();
        const gen = offset < 0 ? -1 : parser.plainInteger();
        parser.skipWhite();
        const kind = parser.peek();
        if (offset < 0 || gen < 0 || (kind !== 0x6e && kind !== 0x66)) throw damaged('bad xref row');
        parser.position++;
        parsed.push(kind === 0x6e && offset > 0 ? { kind: 'offset', offset: offset + bias, gen } : { kind: 'free' });
      }
      const opensFree = first === 1 && parsed[0]?.kind === 'free';
      const rows = { first: opensFree ? 0 : first, stated: first, count: parsed.length, at, parsed };
      return { rows, next: at + parser.position };
    },
    Math.min(count * 22 + 2048, 1 << 22),
  );
}

function lookupRow(reader: WindowReader, rows: Rows, num: number, bias: number): ReturnType<XrefSection['lookup']> {
  if (rows.parsed !== null) return rows.parsed[num - rows.first];
  const at = rows.at + (num - rows.first) * 20;
  const row = reader.windowNow(at, 20);
  return row === undefined ? reader.window(at, 20).then((later) => tableEntry(later, bias)) : tableEntry(row, bias);
}

function tableEntry(bytes: Uint8Array, bias: number): XrefEntry {
  const row = readRow(bytes);
  if (row === null) throw damaged('bad xref row');
  return row.isFree || row.offset === 0 ? { kind: 'free' } : { kind: 'offset', offset: row.offset + bias, gen: row.gen };
}

async function streamSection(reader: WindowReader, position: number, bias: number, budget: DecodingBudget): Promise<XrefSection> {
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
    hybrid: false,
    ambiguous: object?.ambiguous ?? true,
    incomplete: false,
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

function* numbersOf(ranges: readonly (readonly [number, number])[]): Iterable<number> {
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

function countOf(ranges: readonly { readonly count: number }[]): number {
  return ranges.reduce((sum, { count }) => sum + count, 0);
}

function checkedLimit(limit: number): number {
  if (limit > maxObjectNumber + 1) throw damaged('object numbers out of bounds');
  return limit;
}

function damaged(message: string): PadesError {
  return new PadesError('DAMAGED', message);
}
