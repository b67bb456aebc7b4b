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

  private readonly work: Work;

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
    return { value: value instanceof Keyword ? null : value, ambiguous: parser.ambiguous || this.repeated.has(num) };
  }
}
