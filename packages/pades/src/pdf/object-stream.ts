import { PadesError } from '../errors.ts';
import type { PdfObject } from './objects.ts';
import { Keyword, Parser } from './parser.ts';
import type { Work } from './work.ts';

/** Writers put a few hundred into one; a list of millions is made to fill memory. */
const maxObjects = 1_000_000;

/** A decoded object stream (ISO 32000-2 §7.5.7). */
export class ObjectStream {
  private readonly bytes: Uint8Array;
  private readonly offsets = new Map<number, number>();
  /** Named more than once: some readers take the first, some the last. */
  private readonly repeated = new Set<number>();

  private next: Map<number, number> | null = null;
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
      if (this.offsets.has(num)) this.repeated.add(num);
      else this.offsets.set(num, first + offset);
    }
    const starts = [...this.offsets.values()];
    const rising = starts.every((start, index) => index === 0 || start > (starts[index - 1] ?? 0));
    const rest = parser.position <= first && bytes.subarray(parser.position, first).every((byte) => byte <= 32);
    this.isPlain = this.offsets.size === count && rising && rest && !parser.strange && !parser.commented;
  }

  get numbers(): Iterable<number> {
    return this.offsets.keys();
  }

  /** How many objects it lists. */
  get size(): number {
    return this.offsets.size;
  }

  /** Undefined when the object is not in this stream. */
  object(num: number): PdfObject | undefined {
    return this.strictObject(num)?.value;
  }

  strictObject(num: number): { value: PdfObject; ambiguous: boolean } | undefined {
    const offset = this.offsets.get(num);
    if (offset === undefined) return undefined;
    const parser = new Parser(this.bytes, offset, true);
    const value = parser.parse();
    // Objects may overlap, each reaching to the end.
    this.work.spend(Math.max(0, parser.position - offset));
    const odd = parser.ambiguous || parser.strange || parser.commented || value instanceof Keyword || this.repeated.has(num);
    const ambiguous = odd || !this.endsAt(offset, parser.position);
    return { value: value instanceof Keyword ? null : value, ambiguous };
  }

  /** Nothing but white space stands between the end of an object and the next one. */
  private endsAt(start: number, end: number): boolean {
    this.next ??= new Map([...this.offsets.values()].map((at, index, all) => [at, all[index + 1] ?? this.bytes.length]));
    const next = this.next.get(start) ?? this.bytes.length;
    return end <= next && this.bytes.subarray(end, next).every((byte) => byte <= 32);
  }
}
