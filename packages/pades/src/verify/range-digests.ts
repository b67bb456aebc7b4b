import type { Crypto, Hash, HashName } from '../crypto.ts';
import { PadesError } from '../errors.ts';
import { chunksOf } from '../source.ts';
import type { PdfSource } from '../source.ts';
import type { SignedRange } from './find-signatures.ts';

/**
 * Digests of all signed ranges in one pass over the file: a later range begins with the bytes of the earlier ones, so each
 * adds only what lies behind its own gap. Keys of the answer: `digestKey`.
 */
export async function digestRanges(
  source: PdfSource,
  wanted: readonly { range: SignedRange; hash: HashName }[],
  crypto: Crypto,
): Promise<Map<string, Uint8Array>> {
  const digests = new Map<string, Uint8Array>();
  for (const hash of new Set(wanted.map((one) => one.hash))) {
    const ranges = wanted.filter((one) => one.hash === hash).map(({ range }) => range);
    await digestWith(source, hash, ranges, crypto, digests);
  }
  return digests;
}

async function digestWith(
  source: PdfSource,
  hash: HashName,
  ranges: readonly SignedRange[],
  crypto: Crypto,
  digests: Map<string, Uint8Array>,
): Promise<void> {
  const prefix = crypto.createHash(hash);
  const near = new Feeder(source);
  let at = 0;
  for (const range of ranges.toSorted((a, b) => a.gapStart - b.gapStart)) {
    await near.feed(prefix, at, range.gapStart);
    at = range.gapStart;
    const own = prefix.copy();
    await near.feed(own, range.gapEnd, range.end);
    digests.set(digestKey(hash, range), await own.digest());
  }
}

export function digestKey(hash: HashName, range: SignedRange): string {
  return `${hash}:${range.gapStart}:${range.gapEnd}:${range.end}`;
}

const pieceSize = 256 << 10;

/** Hands parts of a source to hashes. Of many signatures, one's tail is where the next one's bytes begin: the last small piece is kept. */
class Feeder {
  private readonly source: PdfSource;
  private start = 0;
  private kept: Uint8Array = new Uint8Array();

  constructor(source: PdfSource) {
    this.source = source;
  }

  async feed(hash: Hash, from: number, to: number): Promise<void> {
    if (to - from > pieceSize) {
      for await (const piece of chunksOf(this.source, from, to)) hash.update(piece);
      return;
    }
    if (from < this.start || to > this.start + this.kept.length) {
      const length = Math.min(pieceSize, this.source.size - from);
      [this.start, this.kept] = [from, await this.source.read(from, length)];
      if (this.kept.length !== length) throw new PadesError('DAMAGED', 'the source ended early');
    }
    hash.update(this.kept.subarray(from - this.start, to - this.start));
  }
}
