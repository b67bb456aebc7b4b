import type { Crypto, Hash, HashName } from '../crypto.ts';
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
  let at = 0;
  for (const range of ranges.toSorted((a, b) => a.gapStart - b.gapStart)) {
    await feed(prefix, source, at, range.gapStart);
    at = range.gapStart;
    const own = prefix.copy();
    await feed(own, source, range.gapEnd, range.end);
    digests.set(digestKey(hash, range), await own.digest());
  }
}

export function digestKey(hash: HashName, range: SignedRange): string {
  return `${hash}:${range.gapStart}:${range.gapEnd}:${range.end}`;
}

async function feed(hash: Hash, source: PdfSource, from: number, to: number): Promise<void> {
  for await (const piece of chunksOf(source, from, to)) hash.update(piece);
}
