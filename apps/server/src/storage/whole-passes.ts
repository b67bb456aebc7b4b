import { lookedAgain } from './ask-again.ts';
import type { BlobPlace } from './blob-place.ts';
import { BlobFault } from './blob-store.ts';
import { CHUNK, type ChunkDigests, ChunkHasher } from './chunk-digests.ts';
import { LeastRecent } from './least-recent.ts';

/** Of all blobs together: digests for some 60 GB of files. */
const DIGESTS_KEPT = 8 * 1024 * 1024;
const STAMPS_KEPT = 20_000;

/** Passes over the whole of a blob, and what is known from them: the digests of its parts, and how the file looked then. */
export class WholePasses {
  readonly #place: BlobPlace;
  readonly #onWhole: (sha256: string) => void;
  readonly #known = new LeastRecent<ChunkDigests>(DIGESTS_KEPT);
  readonly #stamps = new LeastRecent<string>(STAMPS_KEPT);
  readonly #running = new Map<string, Promise<ChunkDigests>>();

  /** `onWhole`: a blob was found to be what it was, or was put there anew. */
  constructor(place: BlobPlace, onWhole: (sha256: string) => void) {
    this.#place = place;
    this.#onWhole = onWhole;
  }

  /** The digests of a blob's parts, from memory or a pass that many readers share. `keep`: of a blob that is one part, its bytes as the pass has found them right. @throws BlobFault */
  async digestsOf(sha256: string, keep?: (whole: Uint8Array) => void): Promise<ChunkDigests> {
    return this.#known.get(sha256) ?? this.#pass(sha256, keep);
  }

  /** The size of a blob that is whole as it stands there now. @throws BlobFault */
  async check(sha256: string): Promise<number> {
    const facts = await factsOfPlaced(this.#place, sha256);
    if (!facts) throw new BlobFault(sha256, 'missing');
    if (this.#stamps.get(sha256) !== facts.stamp) await this.#pass(sha256);
    // The pass that we joined began before the file was as it is now.
    if (this.#stamps.get(sha256) !== facts.stamp) await this.hash(sha256);
    return facts.size;
  }

  /** One pass over the stored bytes, whatever is remembered. It speaks for what was there when it began. @throws BlobFault */
  async hash(sha256: string, keep?: (whole: Uint8Array) => void): Promise<ChunkDigests> {
    const facts = await factsOfPlaced(this.#place, sha256);
    if (!facts) throw new BlobFault(sha256, 'missing');
    const hasher = new ChunkHasher();
    const pieces: Uint8Array[] | null = keep && facts.size <= CHUNK ? [] : null;
    for await (const bytes of this.#place.read(sha256)) {
      hasher.update(bytes);
      pieces?.push(bytes);
      if (hasher.size > facts.size) break;
    }
    const found = hasher.digest();
    if (found.sha256 !== sha256) throw new BlobFault(sha256, 'damaged');
    this.#stamps.set(sha256, facts.stamp, 1);
    this.written(sha256, found.chunks);
    // A place may say less than it gives.
    if (pieces && hasher.size <= CHUNK) keep?.(Buffer.concat(pieces));
    return found.chunks;
  }

  /** These bytes have just been put there. */
  written(sha256: string, digests: ChunkDigests): void {
    this.#known.set(sha256, digests, digests.weight);
    this.#onWhole(sha256);
  }

  /** What was seen of the file no longer counts. */
  forget(sha256: string): void {
    this.#stamps.delete(sha256);
  }

  #pass(sha256: string, keep?: (whole: Uint8Array) => void): Promise<ChunkDigests> {
    const running = this.#running.get(sha256);
    if (running) return running;
    const started = this.hash(sha256, keep).finally(() => this.#running.delete(sha256));
    this.#running.set(sha256, started);
    return started;
  }
}

/** Of a blob that somebody refers to: that it is missing is told by more than one look. */
export function factsOfPlaced(place: BlobPlace, sha256: string): ReturnType<BlobPlace['facts']> {
  return place.isBelieved ? place.facts(sha256) : lookedAgain(() => place.facts(sha256));
}
