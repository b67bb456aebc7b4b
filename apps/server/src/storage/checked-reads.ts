import type { BlobPlace } from './blob-place.ts';
import { BlobFault, type ByteRange } from './blob-store.ts';
import { CHUNK, type ChunkDigests, inChunks } from './chunk-digests.ts';
import { inMemoryOfItsOwn, type LeastRecent } from './least-recent.ts';

/** Parts `first` up to `end` of a blob, each of them checked before it is given. @throws BlobFault */
async function* checkedChunks(
  place: BlobPlace,
  sha256: string,
  digests: ChunkDigests,
  { first, end }: { first: number; end: number },
): AsyncGenerator<Uint8Array> {
  const offset = first * CHUNK;
  let index = first;
  const range = { offset, length: Math.min(end * CHUNK, digests.size) - offset };
  for await (const chunk of inChunks(place.read(sha256, range))) {
    if (!digests.matches(index, chunk)) throw new BlobFault(sha256, 'damaged');
    index += 1;
    yield chunk;
    // A place that knows no ranges goes on.
    if (index === end) return;
  }
  if (index < end) throw new BlobFault(sha256, 'damaged');
}

/** The bytes of a range, streamed. @throws BlobFault before a wrong byte is given */
export async function* checkedSlice(
  place: BlobPlace,
  sha256: string,
  digests: ChunkDigests,
  { offset, length }: ByteRange,
): AsyncGenerator<Uint8Array> {
  const stop = Math.min(offset + length, digests.size);
  if (stop <= offset) return;
  const first = Math.floor(offset / CHUNK);
  let at = first * CHUNK;
  for await (const chunk of checkedChunks(place, sha256, digests, { first, end: Math.ceil(stop / CHUNK) })) {
    yield chunk.subarray(Math.max(0, offset - at), Math.min(chunk.length, stop - at));
    at += chunk.length;
  }
}

/** The bytes of a range at once; what is short may be asked for again soon, so its parts are kept. @throws BlobFault */
export async function checkedRange(
  place: BlobPlace,
  sha256: string,
  digests: ChunkDigests,
  range: ByteRange,
  kept: LeastRecent<Uint8Array>,
): Promise<Uint8Array> {
  const { offset } = range;
  const length = Math.max(0, Math.min(range.length, digests.size - offset));
  const pieces: Uint8Array[] = [];
  if (length > CHUNK) for await (const piece of checkedSlice(place, sha256, digests, { offset, length })) pieces.push(piece);
  else if (length > 0) {
    for (let index = Math.floor(offset / CHUNK); index * CHUNK < offset + length; index += 1) {
      const chunk = await chunkAt(place, sha256, digests, index, kept);
      pieces.push(chunk.subarray(Math.max(0, offset - index * CHUNK), offset + length - index * CHUNK));
    }
  }
  return Buffer.concat(pieces);
}

/** A part that was found right, for who asks for it again. */
export function keepPart(kept: LeastRecent<Uint8Array>, sha256: string, index: number, part: Uint8Array): void {
  kept.set(partName(sha256, index), inMemoryOfItsOwn(part), part.length);
}

function partName(sha256: string, index: number): string {
  return `${sha256}:${index}`;
}

async function chunkAt(
  place: BlobPlace,
  sha256: string,
  digests: ChunkDigests,
  index: number,
  kept: LeastRecent<Uint8Array>,
): Promise<Uint8Array> {
  const found = kept.get(partName(sha256, index));
  if (found) return found;
  for await (const chunk of checkedChunks(place, sha256, digests, { first: index, end: index + 1 })) {
    keepPart(kept, sha256, index, chunk);
    return chunk;
  }
  throw new BlobFault(sha256, 'damaged');
}
