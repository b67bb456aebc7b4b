import { PadesError } from '../errors.ts';
import type { PdfSource } from '../source.ts';
import { Parser, needMore } from './parser.ts';
import { Work } from './work.ts';
import type { IndirectObject } from './parser.ts';

const stepCost = 64;
const blockSize = 16 << 10;
const maxBlocks = 96;
/** A single object (without stream data) larger than this is damage or an attack. */
const maxObject = 32 << 20;

/** Reads small windows of a source through a bounded cache of blocks (1.5 MiB at most). */
export class WindowReader {
  readonly source: PdfSource;
  readonly work: Work;
  private readonly blocks = new Map<number, Uint8Array>();

  /** `work`: the allowance of the file, when another reader reads it too. */
  constructor(source: PdfSource, work = new Work(source.size)) {
    this.source = source;
    this.work = work;
  }

  /** Bytes from `offset`, at most `length`, less at the end of the file. */
  async window(offset: number, length: number): Promise<Uint8Array> {
    if (offset < 0 || offset >= this.source.size) return new Uint8Array(0);
    const end = Math.min(offset + length, this.source.size);
    if (end - offset > blockSize * 8) return this.read(offset, end - offset);
    const first = Math.floor(offset / blockSize);
    const last = Math.floor((end - 1) / blockSize);
    if (first === last) {
      const block = await this.block(first);
      return block.subarray(offset - first * blockSize, end - first * blockSize);
    }
    const joined = new Uint8Array(end - offset);
    for (let index = first; index <= last; index++) {
      const block = await this.block(index);
      const start = index * blockSize;
      const from = Math.max(offset, start);
      const to = Math.min(end, start + block.length);
      joined.set(block.subarray(from - start, to - start), from - offset);
    }
    return joined;
  }

  private async block(index: number): Promise<Uint8Array> {
    const cached = this.blocks.get(index);
    if (cached !== undefined) return cached;
    const start = index * blockSize;
    const block = await this.read(start, Math.min(blockSize, this.source.size - start));
    if (this.blocks.size >= maxBlocks) {
      for (const oldest of this.blocks.keys()) {
        this.blocks.delete(oldest);
        break;
      }
    }
    this.blocks.set(index, block);
    return block;
  }

  private async read(offset: number, length: number): Promise<Uint8Array> {
    const bytes = await this.source.read(offset, length);
    if (bytes.length !== length) throw new PadesError('DAMAGED', 'the source ended before its stated size');
    return bytes;
  }

  /** Runs `parse` on a window at `offset` that grows until it is large enough. */
  async parseAt<T>(offset: number, parse: (parser: Parser) => T, first = 2048): Promise<T> {
    for (let size = first; ; size *= 4) {
      const bytes = await this.window(offset, size);
      const complete = offset + bytes.length >= this.source.size;
      const parser = new Parser(bytes, 0, complete);
      try {
        return parse(parser);
      } catch (error) {
        if (error !== needMore) throw error;
        if (size > maxObject) throw new PadesError('TOO_COMPLEX', 'an object is too large');
      } finally {
        this.work.spend(stepCost + parser.position);
      }
    }
  }

  /** The indirect object that begins at `offset`, or null. */
  indirectObject(offset: number): Promise<IndirectObject | null> {
    return this.parseAt(offset, (parser) => parser.indirectObject(offset));
  }
}
