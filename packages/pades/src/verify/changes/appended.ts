import { PdfStream, isName, latin1Text } from '../../pdf/objects.ts';
import type { PdfObject } from '../../pdf/objects.ts';
import type { IndirectObject } from '../../pdf/parser.ts';
import type { Pdf } from '../../pdf/pdf.ts';
import type { XrefEntry, XrefSection } from '../../pdf/xref.ts';
import { isPlainlyCoded } from './plain-coding.ts';

export type AppendedFault = 'cross-reference' | 'data-after-end';

/** A definition as it stands in the appended bytes. */
interface Piece {
  readonly num: number;
  readonly gen: number;
  readonly value: PdfObject;
}

/** What the appended bytes consist of, and what of them is not exactly understood. */
export interface Appended {
  readonly faults: ReadonlySet<AppendedFault>;
  /** Objects that readers could read differently. */
  readonly unclear: ReadonlySet<number>;
  /** Objects that are there and that no section names. */
  readonly strays: ReadonlySet<number>;
}

type Hybrid = NonNullable<XrefSection['hybrid']>;

const headerText = /^(0|[1-9]\d{0,9})[\0\t\n\f\r ]+(0|[1-9]\d{0,4})[\0\t\n\f\r ]+obj(?=[\0\t\n\f\r ()<>[\]/])/;
const plainEnd = /^[\0\t\n\f\r ]*endobj(?=[\0\t\n\f\r %]|$)/;
const streamEnd = /^(?:\r\n|\n|\r)?endstream[\0\t\n\f\r ]+endobj(?=[\0\t\n\f\r %]|$)/;
const streamLead = /^[\0\t\n\f\r ]*stream\r?\n$/;
const closing = /^startxref[\0\t\n\f\r ]+(\d{1,15})[\0\t\n\f\r ]+%%EOF(?=[\0\t ]*(?:[\r\n]|$))/;
/** A comment that somebody who searches the file for structure would stop at. */
const structural = /obj|xref|trailer|stream|%%EOF|%PDF|<<|>>/;
const maxWhite = 8;
const endWindow = 256;
/** Behind the last end mark: readers look for startxref in as little as the last kilobyte, and rebuild the file when it is not there. */
const maxTail = 64;

/**
 * Takes the bytes that were appended to a state apart, from its end to the file's: whole objects, cross-reference sections
 * with their startxref and end mark, white space and comments, and nothing else. Every object must be the one that the
 * sections lead to, every section be led to by the newest, each in the order in which it was written.
 */
export async function readAppended(before: Pdf, after: Pdf, sections: readonly XrefSection[]): Promise<Appended> {
  const tiles = new Tiles(before, after, sections);
  await tiles.walk();
  await tiles.checkSections();
  return tiles;
}

class Tiles implements Appended {
  readonly faults = new Set<AppendedFault>();
  readonly unclear = new Set<number>();
  readonly strays = new Set<number>();
  private readonly pieces = new Map<number, Piece>();
  private readonly named = new Set<number>();
  private readonly before: Pdf;
  private readonly after: Pdf;
  /** Oldest first. */
  private readonly sections: readonly XrefSection[];
  /** Of sections, by where they really begin. */
  private readonly starts = new Map<number, XrefSection>();
  private readonly met: XrefSection[] = [];

  constructor(before: Pdf, after: Pdf, sections: readonly XrefSection[]) {
    this.before = before;
    this.after = after;
    this.sections = sections.toReversed();
  }

  async walk(): Promise<void> {
    const { size } = this.after.source;
    for (const section of this.sections) this.starts.set(await this.skipWhite(section.position + this.after.bias), section);
    let at = this.before.source.size;
    const [last = 10] = await this.after.reader.window(at - 1, 1);
    const [following = 10] = await this.after.reader.window(at, 1);
    // Behind an end mark without a line end, what follows would be its comment.
    if (!isLineEnd(last) && !isLineEnd(following)) this.faults.add('data-after-end');
    let open: XrefSection | null = null;
    let closed = true;
    let end = at;
    for (at = await this.skipWhite(at); at < size; at = await this.skipWhite(at)) {
      closed = false;
      const head = await this.text(at, 64);
      const section = this.starts.get(at);
      const startxref: RegExpExecArray | null = closing.exec(head);
      let next: number | null = null;
      if (startxref !== null && open !== null && Number(startxref[1]) === open.position) {
        next = at + startxref[0].length;
        open = null;
        closed = true;
      } else if (open === null && section?.form === 'table') {
        next = section.end;
        open = section;
        this.met.push(section);
      } else if (open === null && headerText.test(head)) {
        next = await this.object(at);
        if (section !== undefined && next !== null) {
          if (!(await isPlainlyCoded(this.after.reader, at, this.pieces.get(at)?.value ?? null, false))) this.faults.add('cross-reference');
          open = section;
          this.met.push(section);
        }
      } else if (head.startsWith('%')) next = await this.comment(at);
      if (next === null) {
        this.faults.add('data-after-end');
        return;
      }
      at = end = next;
    }
    if (!closed || open !== null || size - end > maxTail) this.faults.add('data-after-end');
  }

  /** One object from its number to `endobj`; where it ends, or null when nobody can say. */
  private async object(at: number): Promise<number | null> {
    const { reader } = this.after;
    const found = await reader.indirectObject(at);
    if (found === null) return null;
    const { num, gen, value } = found;
    this.pieces.set(at, { num, gen, value });
    if (found.ambiguous || found.strange || found.commented || (await this.wasUnclear(num))) this.unclear.add(num);
    const end = await this.endOf(found);
    if (end !== null) return end;
    this.unclear.add(num);
    // To tell of what comes behind it: the next end word, as readers that search for it.
    const rest = await this.text(found.end, 64 << 10);
    const word = rest.indexOf('endobj');
    return word < 0 ? null : found.end + word + 6;
  }

  /** What was signed could be read in two ways: written anew, only one of them is left. */
  private async wasUnclear(num: number): Promise<boolean> {
    const signed = await this.before.strictObject(num);
    return signed !== undefined && (signed.ambiguous || signed.strange === true);
  }

  private async endOf({ value, end }: IndirectObject): Promise<number | null> {
    if (!(value instanceof PdfStream)) {
      const tail = plainEnd.exec(await this.text(end, endWindow));
      return tail === null ? null : end + tail[0].length;
    }
    const length = await this.after.resolve(value.dict.get('Length'));
    if (!streamLead.test(await this.text(end, value.offset - end)) || typeof length !== 'number' || !Number.isInteger(length)) return null;
    const tail = streamEnd.exec(await this.text(value.offset + length, endWindow));
    return length < 0 || tail === null ? null : value.offset + length + tail[0].length;
  }

  private async comment(at: number): Promise<number | null> {
    const text = await this.text(at, 1024);
    const line = /^[^\r\n]*[\r\n]/.exec(text)?.[0];
    return line === undefined || structural.test(line) ? null : at + line.length;
  }

  /** Every section is there and plain, and names what was appended with it; nothing else was appended. */
  async checkSections(): Promise<void> {
    const { bias } = this.after;
    const inOrder = this.met.length === this.sections.length && this.met.every((one, index) => one === this.sections[index]);
    if (!inOrder) this.faults.add('cross-reference');
    const inForce = new Map<number, XrefEntry>();
    let from = this.before.source.size;
    for (const section of this.sections) {
      if (!(await section.isPlain()) || !Number.isInteger(section.trailer.get('Prev'))) this.faults.add('cross-reference');
      if (section.hybrid !== null && !(await this.agrees(section.hybrid, inForce, from))) this.faults.add('cross-reference');
      const to = section.position + bias + maxWhite;
      const own = new Map<number, XrefEntry>();
      for (const num of section.numbers()) {
        const entry = await section.lookup(num);
        const earlier = inForce.get(num) ?? (await this.before.entry(num));
        if (entry === undefined) this.faults.add('cross-reference');
        else if (!sameEntry(earlier, entry)) own.set(num, entry);
      }
      for (const [num, entry] of own) {
        inForce.set(num, entry);
        if (entry.kind === 'offset' && !(await this.leadsTo(num, entry, from, to))) this.faults.add('cross-reference');
        if (entry.kind === 'free' && num === 0) continue;
        if (num === 0 && entry.kind !== 'free') this.faults.add('cross-reference');
      }
      await this.checkContainers(own, inForce, from, to);
      from = section.position + bias;
    }
    for (const [at, { num }] of this.pieces) {
      if (!this.named.has(at) && !this.starts.has(at)) this.strays.add(num);
    }
  }

  /**
   * Readers choose differently whether to follow the stream beside a table, and when the table calls an object free. A signed
   * one that is named again must say what is in force anyway; a new one goes with a file that has such streams already. The
   * table says the same of an object, or nothing.
   */
  private async agrees({ table, stream }: Hybrid, inForce: ReadonlyMap<number, XrefEntry>, from: number): Promise<boolean> {
    const at = await this.skipWhite(stream.position + this.after.bias);
    const isNew = at >= from && this.before.sections[0]?.hybrid != null && this.pieces.has(at);
    if (isNew) this.named.add(at);
    for (const num of stream.numbers()) {
      const beside = await table.lookup(num);
      // All follow the table where it has the object.
      if (beside?.kind === 'offset') continue;
      const earlier = inForce.get(num) ?? (await this.before.entry(num));
      if (beside !== undefined || (!isNew && !sameEntry(await stream.lookup(num), earlier))) return false;
    }
    return isNew || at < this.before.source.size;
  }

  /** The entry points at that very object, which was written with this section. */
  private async leadsTo(num: number, { offset, gen }: { offset: number; gen: number }, from: number, to: number): Promise<boolean> {
    if (offset < from || offset > to) return false;
    // Some writers' entries point at the white space before the object.
    const at = this.pieces.has(offset) ? offset : await this.skipWhite(offset);
    const piece = this.pieces.get(at);
    if (piece === undefined || at - offset > maxWhite || piece.num !== num || piece.gen !== gen) return false;
    this.named.add(at);
    return true;
  }

  /** Objects in streams stand at the place that their entry names, and whatever stands in such a stream is named. */
  private async checkContainers(own: ReadonlyMap<number, XrefEntry>, inForce: ReadonlyMap<number, XrefEntry>, from: number, to: number) {
    const wanted = new Map<number, Map<number, number>>();
    for (const [num, entry] of own) {
      if (entry.kind !== 'compressed') continue;
      const held = wanted.get(entry.stream) ?? new Map<number, number>();
      held.set(entry.index, num);
      wanted.set(entry.stream, held);
    }
    for (const [at, piece] of this.pieces) {
      if (at < from || at > to || !holdsObjects(piece.value)) continue;
      const held = wanted.get(piece.num) ?? new Map<number, number>();
      wanted.delete(piece.num);
      await this.checkContainer(at, piece, held);
    }
    for (const container of wanted.keys()) {
      const entry = inForce.get(container);
      if (entry?.kind !== 'offset' || entry.offset < from) this.faults.add('cross-reference');
    }
    if (wanted.size > 0) this.faults.add('cross-reference');
  }

  private async checkContainer(at: number, { num, value }: Piece, held: ReadonlyMap<number, number>): Promise<void> {
    const { dict } = value as PdfStream;
    const isPlain = isName(dict.get('Type'), 'ObjStm') && Number.isInteger(dict.get('N')) && Number.isInteger(dict.get('First'));
    const stream = isPlain ? await this.after.objectStreamAt(at) : null;
    if (
      stream === null ||
      !stream.isPlain ||
      !(await isPlainlyCoded(this.after.reader, at, value, this.after.encrypted)) ||
      stream.size !== dict.get('N') ||
      held.size !== stream.size
    )
      this.unclear.add(num);
    let index = 0;
    for (const inside of stream?.numbers ?? []) {
      if (held.get(index++) !== inside) this.strays.add(inside);
      const object = stream?.strictObject(inside);
      if (object === undefined || object.ambiguous || (await this.wasUnclear(inside))) this.unclear.add(inside);
    }
  }

  private async skipWhite(from: number): Promise<number> {
    const { size } = this.after.source;
    for (let at = from; at < size; at += endWindow) {
      const bytes = await this.after.reader.window(at, endWindow);
      const index = bytes.findIndex((byte) => !isWhite(byte));
      if (index >= 0) return at + index;
    }
    return size;
  }

  private async text(at: number, length: number): Promise<string> {
    return latin1Text(await this.after.reader.window(at, length));
  }
}

/** A stream that holds objects (ISO 32000-2 §7.5.7); readers do not ask what it calls itself. */
export function holdsObjects(value: PdfObject): boolean {
  return value instanceof PdfStream && (isName(value.dict.get('Type'), 'ObjStm') || (value.dict.has('N') && value.dict.has('First')));
}

export function sameEntry(a: XrefEntry | undefined, b: XrefEntry | undefined): boolean {
  const [was, is] = [a ?? { kind: 'free' as const }, b ?? { kind: 'free' as const }];
  if (was.kind === 'offset') return is.kind === 'offset' && was.offset === is.offset && was.gen === is.gen;
  // A place of its own in the stream: some readers go by it, some by the number.
  if (was.kind === 'compressed') return is.kind === 'compressed' && was.stream === is.stream && was.index === is.index;
  return is.kind === 'free';
}

function isWhite(byte: number): boolean {
  return byte === 0 || byte === 9 || byte === 10 || byte === 12 || byte === 13 || byte === 32;
}

function isLineEnd(byte: number): boolean {
  return byte === 10 || byte === 13;
}
