import { createHash, type Hash } from 'node:crypto';
import { inMemoryOfItsOwn } from './least-recent.ts';

/** Blobs are checked in parts of this size. */
export const CHUNK = 256 * 1024;
const DIGEST = 32;

/** Hash list: the SHA-256 of each part of a blob whose whole is known to be right. Any part can be checked by itself from then on. */
export class ChunkDigests {
  readonly size: number;
  readonly #digests: Uint8Array;

  constructor(size: number, digests: Uint8Array) {
    this.size = size;
    this.#digests = digests;
  }

  get weight(): number {
    return this.#digests.length + 200;
  }

  matches(index: number, chunk: Uint8Array): boolean {
    return createHash('sha256')
      .update(chunk)
      .digest()
      .equals(this.#digests.subarray(index * DIGEST, (index + 1) * DIGEST));
  }
}

/** SHA-256 of a whole and of its parts in one pass. */
export class ChunkHasher {
  readonly #whole = createHash('sha256');
  readonly #digests: Buffer[] = [];
  #part: Hash = createHash('sha256');
  #inPart = 0;
  size = 0;

  update(bytes: Uint8Array): void {
    this.#whole.update(bytes);
    this.size += bytes.length;
    for (let at = 0; at < bytes.length;) {
      const end = Math.min(bytes.length, at + CHUNK - this.#inPart);
      this.#part.update(bytes.subarray(at, end));
      this.#inPart += end - at;
      at = end;
      if (this.#inPart === CHUNK) this.#endPart();
    }
  }

  digest(): { sha256: string; chunks: ChunkDigests } {
    if (this.#inPart > 0) this.#endPart();
    const digests = inMemoryOfItsOwn(Buffer.concat(this.#digests));
    return { sha256: this.#whole.digest('hex'), chunks: new ChunkDigests(this.size, digests) };
  }

  #endPart(): void {
    this.#digests.push(this.#part.digest());
    this.#part = createHash('sha256');
    this.#inPart = 0;
  }
}

/** Cuts a stream into parts of `CHUNK` bytes; the last may be shorter. */
export async function* inChunks(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let waiting: Uint8Array[] = [];
  let size = 0;
  for await (const bytes of stream) {
    for (let at = 0; at < bytes.length;) {
      const end = Math.min(bytes.length, at + CHUNK - size);
      waiting.push(bytes.subarray(at, end));
      size += end - at;
      at = end;
      if (size < CHUNK) continue;
      yield waiting.length === 1 ? (waiting[0] as Uint8Array) : Buffer.concat(waiting);
      waiting = [];
      size = 0;
    }
  }
  if (size > 0) yield Buffer.concat(waiting);
}
