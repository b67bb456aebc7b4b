import { PadesError } from '../errors.ts';
import { PdfRef } from './objects.ts';
import type { PdfObject } from './objects.ts';
import { Keyword, Parser } from './parser.ts';
import type { Work } from './work.ts';

/** Writers put a few hundred into one; a list of millions is made to fill memory. */
const maxObjects = 1_000_000;

/** A decoded object stream (ISO 32000-2 §7.5.7). */
export class ObjectStream {
  private readonly bytes: Uint8Array;
  /** Where each object stands in its list. */
  private readonly places = new Map<number, number>();
  private readonly starts: number[] = [];
  /** Named more than once: some readers take the first, some the last. */
  private readonly repeated = new Set<number>();
  private readonly work: Work;
  /** Its list is whole: as many objects as it says, each once, in plain numbers, and nothing else before the first of them. */
  readonly isPlain: boolean;

  constructor(bytes: Uint8Array, count: number, first: number, work: Work) {
    if (!Number.isInteger(count) || !Number.isInteger(first) || count < 0 || first < 0) {
      throw new PadesError('DAMAGED', 'bad object stream header');
    }
    if (count > maxObjects) throw new PadesError('TOO_COMPLEX', 'too many objects in a stream');
    this.bytes = bytes;
    this.work = work;
    const parser = new Parser(bytes, 0, true);
    work.spend(count * 8);
    for (let i = 0; i < count; i++) {
      const num = parser.plainInteger();
      const offset = num < 0 ? -1 : parser.plainInteger();
      if (num < 0 || offset < 0) break;
      if (this.places.has(num)) this.repeated.add(num);
      else this.places.set(num, this.starts.push(first + offset) - 1);
    }
    const rising = this.starts.every((start, index) => index === 0 || start > (this.starts[index - 1] ?? 0));
    const rest = parser.position <= first && isWhite(bytes, parser.position, first);
    this.isPlain = this.places.size === count && rising && rest && !parser.strange && !parser.commented;
  }

  get numbers(): Iterable<number> {
    return this.places.keys();
  }

  /** How many objects it lists. */
  get size(): number {
    return this.places.size;
  }

  /** Undefined when the object is not in this stream. */
  object(num: number): PdfObject | undefined {
    return this.strictObject(num)?.value;
  }

  strictObject(num: number): { value: PdfObject; ambiguous: boolean } | undefined {
    const place = this.places.get(num);
    const offset = this.starts[place ?? -1];
    if (place === undefined || offset === undefined) return undefined;
    const parser = new Parser(this.bytes, offset, true);
    const value = parser.parse();
    // Objects may overlap, each reaching to the end.
    this.work.spend(Math.max(0, parser.position - offset));
    const odd = parser.ambiguous || parser.strange || parser.commented || value instanceof Keyword || this.repeated.has(num);
    const ambiguous = odd || value instanceof PdfRef || !this.endsBefore(place + 1, parser.position);
    return { value: value instanceof Keyword ? null : value, ambiguous };
  }

  /** The object as it is spelled, up to the next one. */
  spelling(num: number): Uint8Array {
    // Named twice, it may stand anywhere.
    if (this.repeated.has(num)) return this.bytes;
    const place = this.places.get(num) ?? this.starts.length;
    const offset = this.starts[place] ?? this.bytes.length;
    const end = Math.max(offset, this.starts[place + 1] ?? this.bytes.length);
    this.work.spend(end - offset);
    return this.bytes.subarray(offset, end);
  }

  /** Nothing but white space stands between the end of an object and the next one. */
  private endsBefore(place: number, end: number): boolean {
    const next = this.starts[place] ?? this.bytes.length;
    return end <= next && isWhite(this.bytes, end, next);
  }
}

function isWhite(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if ((bytes[at] ?? 0) > 32) return false;
  return true;
}
