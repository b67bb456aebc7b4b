import { PadesError } from '../errors.ts';
import type { DecodingBudget } from './filters.ts';
import { isDict, latin1Text } from './objects.ts';
import type { PdfDict } from './objects.ts';
import { rangeFinder } from './range-index.ts';
import type { WindowReader } from './window-reader.ts';
import { checkedLimit, countOf, damaged, maxObjectNumber, numbersOf, streamSection } from './xref-stream.ts';

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
  readonly hybrid: { readonly table: XrefSection; readonly stream: XrefSection } | null;
  /** Its dictionary says something twice, or cannot be read without guessing. */
  readonly ambiguous: boolean;
  /** It announces a stream (XRefStm) that is not there. */
  readonly incomplete: boolean;
  /** Where it ends in the file: a table behind its trailer, a stream at its data. */
  readonly end: number;
  /** Written in a way that readers could read differently, or not at all: see `tableIsPlain`, `streamIsPlain`. */
  isPlain(): Promise<boolean>;
}

/** Of one file. */
export const maxSections = 2048;

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
    if (seen.size + (index < 0 ? 0 : known.length - index - 1) >= maxSections) throw new PadesError('TOO_COMPLEX', 'too many revisions');
    if (index >= 0) return [...sections, ...known.slice(index)];
    seen.add(position);
    const section: XrefSection = await loadSection(reader, position, bias, budget);
    sections.push(section);
    const prev: unknown = section.trailer.get('Prev');
    position = typeof prev === 'number' && prev > 0 ? Math.floor(prev) : null;
  }
  return sections;
}

/** The section that begins there. Throws DAMAGED when none does. */
export async function loadSection(reader: WindowReader, position: number, bias: number, budget: DecodingBudget): Promise<XrefSection> {
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
    hybrid: { table, stream: extra },
    ambiguous: table.ambiguous || extra.ambiguous,
    isPlain: async () => (await table.isPlain()) && (await extra.isPlain()),
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
  /** Of even rows that were asked for: what they say. */
  known: Map<number, XrefEntry>;
  first: number;
  /** `first` as the file states it. */
  stated: number;
  count: number;
  /** Where the 20-byte rows begin, or the entries themselves when the rows are irregular. */
  at: number;
  /** Where `first` and `count` stand. */
  header: number;
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
        hybrid: null,
        ambiguous: step.ambiguous,
        incomplete: false,
        numbers: () => numbersOf(subsections.map((rows): [number, number] => [rows.first, rows.count])),
        trailer: step.trailer,
        position,
        limit: checkedLimit(limit),
        count: countOf(subsections),
        end: step.end,
        isPlain: () => tableIsPlain(reader, subsections, bias),
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
): Promise<{ trailer: PdfDict; ambiguous: boolean; end: number } | { rows: Rows; next: number }> {
  const header = await reader.parseAt(at, (parser) => {
    parser.skipWhite();
    if (parser.peek() === 0x74) {
      parser.position += 7;
      const isWord = 'trailer'.split('').every((char, at) => parser.bytes[parser.position - 7 + at] === char.charCodeAt(0));
      const trailer = parser.parse();
      if (!isDict(trailer as PdfDict)) throw damaged('no trailer dictionary');
      return {
        trailer: trailer as PdfDict,
        ambiguous: parser.ambiguous || parser.strange || parser.commented || !isWord,
        end: at + parser.position,
      };
    }
    const first = parser.plainInteger();
    const count = first < 0 ? -1 : parser.plainInteger();
    if (first < 0 || count < 0 || first + count > maxObjectNumber + 1) {
      throw damaged('bad xref subsection');
    }
    parser.skipWhite();
    return { first, count, rowsAt: at + parser.position };
  });
  if (header.trailer !== undefined) return { trailer: header.trailer, ambiguous: header.ambiguous, end: header.end };
  const { first, count, rowsAt } = header;
  const regular = await rowsAreRegular(reader, rowsAt, count);
  if (!regular) return irregularRows(reader, first, count, rowsAt, bias);
  // Some writers number the first table from 1 although its first row is object 0's.
  const opening = count > 0 && first === 1 ? readRow(await reader.window(rowsAt, 20)) : null;
  const shifted = opening?.offset === 0 && opening.gen === 65535 && opening.isFree ? 0 : first;
  return {
    rows: { first: shifted, stated: first, count, at: rowsAt, header: at, parsed: null, known: new Map() },
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
  // A row too short is made up for by one too long: the second and one in the middle tell.
  for (const row of new Set([0, Math.min(1, count - 1), count >> 1, count - 1])) {
    if (readRow(await reader.window(at + row * 20, 20)) === null) return false;
  }
  const after = latin1Text(await reader.window(at + count * 20, 40));
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
      const rows = { first: opensFree ? 0 : first, stated: first, count: parsed.length, at, header: at, parsed, known: new Map() };
      return { rows, next: at + parser.position };
    },
    Math.min(count * 22 + 2048, 1 << 22),
  );
}

function lookupRow(reader: WindowReader, rows: Rows, num: number, bias: number): ReturnType<XrefSection['lookup']> {
  if (rows.parsed !== null) return rows.parsed[num - rows.first];
  const known = rows.known.get(num);
  if (known !== undefined) return known;
  const at = rows.at + (num - rows.first) * 20;
  const row = reader.windowNow(at, 20);
  const keep = (bytes: Uint8Array): XrefEntry => {
    const entry = tableEntry(bytes, bias);
    // A large table is asked for in pieces: only so much of it is kept.
    if (rows.known.size >= maxKnownRows) rows.known.clear();
    rows.known.set(num, entry);
    return entry;
  };
  return row === undefined ? reader.window(at, 20).then(keep) : keep(row);
}

const maxKnownRows = 4096;

function tableEntry(bytes: Uint8Array, bias: number): XrefEntry {
  const row = readRow(bytes);
  if (row === null) throw damaged('bad xref row');
  return row.isFree || row.offset === 0 ? { kind: 'free' } : { kind: 'offset', offset: row.offset + bias, gen: row.gen };
}

/**
 * Every row is twenty bytes long and says what the book allows (ISO 32000-2 §7.5.4), every subsection begins with two plain
 * numbers. Readers take another table each in their own way.
 */
async function tableIsPlain(reader: WindowReader, subsections: readonly Rows[], bias: number): Promise<boolean> {
  for (const { first, stated, count, at, header, parsed } of subsections) {
    if (parsed !== null || first !== stated) return false;
    const lead = latin1Text(await reader.window(header, at - header));
    if (!/^[\r\n ]{0,3}\d{1,10} \d{1,10} ?[\r\n]{1,2}$/.test(lead)) return false;
    reader.work.spend(count * 20);
    const rows = await reader.window(at, count * 20);
    for (let index = 0; index < count; index++) if (!rowIsPlain(rows.subarray(index * 20, index * 20 + 20), bias)) return false;
  }
  return true;
}

/** Ends in a space and a line end, or in two of its bytes; what is in use stands somewhere. */
function rowIsPlain(row: Uint8Array, bias: number): boolean {
  const read = readRow(row);
  if (read === null || (!read.isFree && read.offset + bias === 0)) return false;
  const [one = 0, two = 0] = row.subarray(18);
  return (one === 0x20 && (two === 0x0a || two === 0x0d)) || (one === 0x0d && two === 0x0a);
}
