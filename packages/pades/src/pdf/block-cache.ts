import { PadesError } from '../errors.ts';
import type { PdfSource } from '../source.ts';

const small = 16 << 10;
const large = 128 << 10;
/** So many small blocks are read before large ones are: signing asks for a few, verifying walks the whole file. */
const maxSmall = 32;
const maxLarge = 32;

/** Block cache: pieces of a source, kept while there is room (4.5 MiB at most). All states of one file read through the same. */
export class BlockCache {
  private readonly source: PdfSource;
  private readonly smallBlocks = new Map<number, Uint8Array>();
  private readonly largeBlocks = new Map<number, Uint8Array>();

  constructor(source: PdfSource) {
    this.source = source;
  }

  /** Bytes `offset` to `end`, if one block that is kept holds them all. */
  kept(offset: number, end: number): Uint8Array | undefined {
    return within(this.largeBlocks, large, offset, end) ?? within(this.smallBlocks, small, offset, end);
  }

  /** What one block holds of the bytes from `offset` to `end`: at least one. */
  async some(offset: number, end: number): Promise<Uint8Array> {
    const kept = this.kept(offset, Math.min(end, (Math.floor(offset / small) + 1) * small));
    if (kept !== undefined) return kept;
    const isLarge = this.smallBlocks.size >= maxSmall;
    const size = isLarge ? large : small;
    const blocks = isLarge ? this.largeBlocks : this.smallBlocks;
    const index = Math.floor(offset / size);
    const start = index * size;
    const block = await this.read(start, Math.min(size, this.source.size - start));
    if (isLarge && blocks.size >= maxLarge) {
      for (const oldest of blocks.keys()) {
        blocks.delete(oldest);
        break;
      }
    }
    blocks.set(index, block);
    return block.subarray(offset - start, end - start);
  }

  /** Reads past the blocks: for what is larger than them. */
  async read(offset: number, length: number): Promise<Uint8Array> {
    const bytes = await this.source.read(offset, length);
    if (bytes.length !== length) throw new PadesError('DAMAGED', 'the source ended before its stated size');
    return bytes;
  }
}

function within(blocks: ReadonlyMap<number, Uint8Array>, size: number, offset: number, end: number): Uint8Array | undefined {
  const index = Math.floor(offset / size);
  if (end > (index + 1) * size) return undefined;
  return blocks.get(index)?.subarray(offset - index * size, end - index * size);
}
