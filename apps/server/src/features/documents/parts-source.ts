import type { PdfSource } from '@lavra/pades';
import type { BlobStore } from '../../storage/blob-store.ts';

/** One blob's place in a document. */
export interface StoredPart {
  blobHash: string;
  size: number;
  offset: number;
}

/** Blobs one behind the other, and `tail` (not stored yet) behind them, as one file. */
export function partsSource(storage: BlobStore, parts: readonly StoredPart[], tail: Uint8Array | null = null): PdfSource {
  const stored = parts.reduce((sum, part) => sum + part.size, 0);
  return {
    size: stored + (tail?.length ?? 0),
    async read(offset, length) {
      const pieces: Uint8Array[] = [];
      for (const slice of slicesOf(parts, offset, length))
        pieces.push(await storage.readRange(slice.blobHash, { offset: slice.offset, length: slice.length }));
      if (tail && offset + length > stored) pieces.push(tail.subarray(Math.max(0, offset - stored), offset + length - stored));
      return pieces.length === 1 ? (pieces[0] as Uint8Array) : Buffer.concat(pieces);
    },
  };
}

/** What of each blob lies in `[offset, offset + length)` of the file. */
export function slicesOf(
  parts: readonly StoredPart[],
  offset: number,
  length: number,
): { blobHash: string; offset: number; length: number }[] {
  const end = offset + length;
  return parts
    .filter((part) => part.offset < end && part.offset + part.size > offset)
    .map((part) => {
      const from = Math.max(offset, part.offset);
      const to = Math.min(end, part.offset + part.size);
      return { blobHash: part.blobHash, offset: from - part.offset, length: to - from };
    });
}
