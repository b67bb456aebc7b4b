import type { PdfSource } from '../source.ts';
import { BlockCache } from './block-cache.ts';
import { ObjectCache } from './object-cache.ts';
import { PadesError } from '../errors.ts';
import { Parser, needMore } from './parser.ts';
import { Work } from './work.ts';
import type { IndirectObject } from './parser.ts';

const stepCost = 64;
const knownCost = 16;
const firstWindow = 2048;
const directly = 128 << 10;
/** A single object (without stream data) larger than this is damage or an attack. */
const maxObject = 32 << 20;

interface Known {
  blocks?: BlockCache;
  objects?: ObjectCache;
}

/** Reads small windows of a source through a bounded cache of blocks. */
export class WindowReader {
  readonly source: PdfSource;
  /** The allowance of the file, and what has been read of it: shared by the readers of its states. */
  readonly work: Work;
  private readonly blocks: BlockCache;
  private readonly objects: ObjectCache;

  constructor(source: PdfSource, { work, blocks, objects }: Partial<Pick<WindowReader, 'work'>> & Known = {}) {
    this.source = source;
    this.work = work ?? new Work(source.size);
    this.blocks = blocks ?? new BlockCache(source);
    this.objects = objects ?? new ObjectCache();
  }

  /** Of the file with more appended: objects that were read stand where they stood. Its blocks and its allowance are its own. */
  grownTo(source: PdfSource): WindowReader {
    return new WindowReader(source, { objects: this.objects });
  }

  /** The file as if it ended at `end`. */
  upTo(end: number): WindowReader {
    const { source, work, blocks, objects } = this;
    const read: PdfSource['read'] = (offset, length) => source.read(offset, Math.min(length, end - offset));
    return new WindowReader({ size: end, read }, { work, blocks, objects });
  }

  /** As `window`, when nothing need be read for it. */
  windowNow(offset: number, length: number): Uint8Array | undefined {
    if (offset < 0 || offset >= this.source.size) return new Uint8Array(0);
    return this.blocks.kept(offset, Math.min(offset + length, this.source.size));
  }

  /** Bytes from `offset`, at most `length`, less at the end of the file. */
  async window(offset: number, length: number): Promise<Uint8Array> {
    const now = this.windowNow(offset, length);
    if (now !== undefined) return now;
    const end = Math.min(offset + length, this.source.size);
    if (end - offset > directly) return this.blocks.read(offset, end - offset);
    const first = await this.blocks.some(offset, end);
    if (first.length === end - offset) return first;
    const joined = new Uint8Array(end - offset);
    joined.set(first);
    for (let at = offset + first.length; at < end;) {
      const piece = await this.blocks.some(at, end);
      joined.set(piece, at - offset);
      at += piece.length;
    }
    return joined;
  }

  /** Runs `parse` on a window at `offset` that grows until it is large enough. */
  async parseAt<T>(offset: number, parse: (parser: Parser) => T, first = firstWindow): Promise<T> {
    for (let size = first; ; size *= 4) {
      const parsed = this.tryParse(offset, await this.window(offset, size), parse);
      if (parsed !== needMore) return parsed as T;
      if (size > maxObject) throw new PadesError('TOO_COMPLEX', 'an object is too large');
    }
  }

  private tryParse<T>(offset: number, bytes: Uint8Array, parse: (parser: Parser) => T): T | typeof needMore {
    const parser = new Parser(bytes, 0, offset + bytes.length >= this.source.size);
    try {
      return parse(parser);
    } catch (error) {
      if (error !== needMore) throw error;
      return needMore;
    } finally {
      this.work.spend(stepCost + parser.position);
    }
  }

  /** The indirect object that begins at `offset`, or null. At once when nothing need be read for it. */
  indirectObject(offset: number): IndirectObject | null | Promise<IndirectObject | null> {
    const known = this.objects.get(offset, this.source.size);
    if (known !== undefined) {
      this.work.spend(knownCost);
      return known;
    }
    const parse = (parser: Parser): IndirectObject | null => {
      const found = parser.indirectObject(offset);
      this.objects.keep(offset, offset + parser.reach, found);
      return found;
    };
    const now = this.windowNow(offset, firstWindow);
    if (now === undefined) return this.parseAt(offset, parse);
    const parsed = this.tryParse(offset, now, parse);
    return parsed === needMore ? this.parseAt(offset, parse, firstWindow * 4) : (parsed as IndirectObject | null);
  }
}
