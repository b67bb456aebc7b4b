import { randomUUID } from 'node:crypto';
import type { BlobPlace } from './blob-place.ts';
import {
  BlobFault,
  type BlobState,
  type BlobStore,
  BlobTooLargeError,
  type ByteRange,
  type StoredBlob,
  StorageUnavailableError,
} from './blob-store.ts';
import { CHUNK, type ChunkDigests, ChunkHasher, inChunks } from './chunk-digests.ts';
import { LeastRecent } from './least-recent.ts';

/** Who keeps the books of a storage. */
export interface StorageLedger {
  /** Before the bytes are placed: from now on, for a day, nobody takes them for forgotten. */
  stored(blob: StoredBlob): Promise<void>;
  /** A read met a blob that is not what it was. Does not throw. */
  fault(fault: BlobFault): void;
  /** A blob that was at fault is whole again. Does not throw. */
  healed(sha256: string): void;
}

const noLedger: StorageLedger = { stored: () => Promise.resolve(), fault: () => {}, healed: () => {} };

/** Of all blobs together: digests for some 60 GB of files, and the parts that a reader of PDF goes back to. */
const DIGESTS_KEPT = 8 * 1024 * 1024;
const CHUNKS_KEPT = 16 * 1024 * 1024;
const STAMPS_KEPT = 20_000;

/**
 * A store that trusts nothing it reads back. The whole of a blob is hashed before its first byte is used; that pass leaves
 * the digests of its parts, and every later read is checked part by part against them. What was checked and what is used
 * are therefore the same bytes, however the file changes in between, and a range costs no pass over the whole.
 */
export function verifiedStore(place: BlobPlace, ledger: StorageLedger = noLedger): BlobStore {
  const known = new LeastRecent<ChunkDigests>(DIGESTS_KEPT);
  const chunks = new LeastRecent<Uint8Array>(CHUNKS_KEPT);
  const stamps = new LeastRecent<string>(STAMPS_KEPT);
  const passes = new Map<string, Promise<ChunkDigests>>();
  const faulty = new Set<string>();

  const isWhole = (sha256: string) => {
    if (faulty.delete(sha256)) ledger.healed(sha256);
  };
  const failed = (error: unknown): unknown => {
    if (!(error instanceof BlobFault)) return error;
    faulty.add(error.sha256);
    stamps.delete(error.sha256);
    ledger.fault(error);
    return error;
  };

  /** One pass over the stored bytes. It speaks for what was there when it began. */
  async function hash(sha256: string): Promise<ChunkDigests> {
    const facts = await place.facts(sha256);
    if (!facts) throw new BlobFault(sha256, 'missing');
    const hasher = new ChunkHasher();
    for await (const bytes of place.read(sha256)) hasher.update(bytes);
    const found = hasher.digest();
    if (found.sha256 !== sha256) throw new BlobFault(sha256, 'damaged');
    known.set(sha256, found.chunks, found.chunks.weight);
    stamps.set(sha256, facts.stamp, 1);
    isWhole(sha256);
    return found.chunks;
  }

  /** Many readers at once share a pass. */
  function pass(sha256: string): Promise<ChunkDigests> {
    const running = passes.get(sha256);
    if (running) return running;
    const started = hash(sha256).finally(() => passes.delete(sha256));
    passes.set(sha256, started);
    return started;
  }

  const digestsOf = async (sha256: string) => known.get(sha256) ?? pass(sha256);

  async function* checkedChunks(sha256: string, digests: ChunkDigests, first: number, end: number): AsyncGenerator<Uint8Array> {
    const offset = first * CHUNK;
    let index = first;
    const range = { offset, length: Math.min(end * CHUNK, digests.size) - offset };
    for await (const chunk of inChunks(place.read(sha256, range))) {
      if (!digests.matches(index, chunk)) throw new BlobFault(sha256, 'damaged');
      index += 1;
      yield chunk;
    }
    if (index < end) throw new BlobFault(sha256, 'damaged');
  }

  async function* slice(sha256: string, digests: ChunkDigests, { offset, length }: ByteRange): AsyncGenerator<Uint8Array> {
    const stop = Math.min(offset + length, digests.size);
    if (stop <= offset) return;
    const first = Math.floor(offset / CHUNK);
    let at = first * CHUNK;
    for await (const chunk of checkedChunks(sha256, digests, first, Math.ceil(stop / CHUNK))) {
      yield chunk.subarray(Math.max(0, offset - at), Math.min(chunk.length, stop - at));
      at += chunk.length;
    }
  }

  /** A part that may be asked for again soon. */
  async function chunkAt(sha256: string, digests: ChunkDigests, index: number): Promise<Uint8Array> {
    const key = `${sha256}:${index}`;
    const kept = chunks.get(key);
    if (kept) return kept;
    for await (const chunk of checkedChunks(sha256, digests, index, index + 1)) {
      chunks.set(key, chunk, chunk.length);
      return chunk;
    }
    throw new BlobFault(sha256, 'damaged');
  }

  return {
    async put(content, { maxBytes = Number.POSITIVE_INFINITY, admit, signal } = {}) {
      const hasher = new ChunkHasher();
      const staged = await place.stage(measured(content, hasher, maxBytes), signal);
      try {
        const found = hasher.digest();
        const blob = { sha256: found.sha256, size: hasher.size };
        await admit?.(blob);
        await ledger.stored(blob);
        await staged.place(blob.sha256);
        known.set(blob.sha256, found.chunks, found.chunks.weight);
        isWhole(blob.sha256);
        return blob;
      } finally {
        await staged.discard();
      }
    },
    async *read(sha256, range) {
      try {
        const digests = await digestsOf(sha256);
        if (range && range.offset + range.length > digests.size) throw new BlobFault(sha256, 'damaged');
        yield* slice(sha256, digests, range ?? { offset: 0, length: digests.size });
      } catch (error) {
        throw failed(error);
      }
    },
    async readRange(sha256, { offset, length }) {
      try {
        const digests = await digestsOf(sha256);
        const range = { offset, length: Math.max(0, Math.min(length, digests.size - offset)) };
        const pieces: Uint8Array[] = [];
        const first = Math.floor(offset / CHUNK);
        if (range.length > 0 && range.length <= CHUNK) {
          for (let index = first; index * CHUNK < offset + range.length; index += 1) {
            const chunk = await chunkAt(sha256, digests, index);
            pieces.push(chunk.subarray(Math.max(0, offset - index * CHUNK), offset + range.length - index * CHUNK));
          }
        } else for await (const piece of slice(sha256, digests, range)) pieces.push(piece);
        return Buffer.concat(pieces);
      } catch (error) {
        throw failed(error);
      }
    },
    async check(sha256) {
      try {
        const facts = await place.facts(sha256);
        if (!facts) throw new BlobFault(sha256, 'missing');
        if (stamps.get(sha256) !== facts.stamp) await pass(sha256);
        // The pass that we joined began before the file was as it is now.
        if (stamps.get(sha256) !== facts.stamp) await hash(sha256);
        return facts.size;
      } catch (error) {
        throw failed(error);
      }
    },
    async audit(sha256): Promise<BlobState> {
      let size = 0;
      try {
        const facts = await place.facts(sha256);
        if (!facts) return { state: 'missing' };
        size = facts.size;
        return { state: 'whole', size: (await hash(sha256)).size };
      } catch (error) {
        if (error instanceof BlobFault && error.kind === 'missing') return { state: 'missing' };
        // A file that cannot be read in a storage that works (a bad sector, a folder in its place) is at fault itself.
        if (error instanceof StorageUnavailableError) await probe(place);
        else if (!(error instanceof BlobFault)) throw error;
        return { state: 'damaged', size };
      }
    },
    list: () => place.list(),
    has: async (sha256) => (await place.facts(sha256)) !== null,
    async delete(sha256) {
      stamps.delete(sha256);
      await place.delete(sha256);
    },
    probe: () => probe(place),
    sweepLeftovers: (before) => place.sweepLeftovers(before),
  };
}

async function probe(place: BlobPlace): Promise<void> {
  const name = `tmp/probe-${randomUUID()}`;
  await place.writeNote(name, name);
  const back = await place.readNote(name);
  await place.deleteNote(name);
  if (back !== name) throw new StorageUnavailableError(new Error('what was written could not be read back'));
}

async function* measured(content: AsyncIterable<Uint8Array>, hasher: ChunkHasher, maxBytes: number): AsyncGenerator<Uint8Array> {
  for await (const bytes of content) {
    hasher.update(bytes);
    if (hasher.size > maxBytes) throw new BlobTooLargeError();
    yield bytes;
  }
}
