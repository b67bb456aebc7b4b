import { randomUUID } from 'node:crypto';
import type { BlobPlace } from './blob-place.ts';
import {
  BlobFault,
  type BlobState,
  type BlobStore,
  BlobTooLargeError,
  type PutOptions,
  type StoredBlob,
  StorageUnavailableError,
} from './blob-store.ts';
import { checkedRange, checkedSlice, keepPart } from './checked-reads.ts';
import { ChunkHasher } from './chunk-digests.ts';
import { LeastRecent } from './least-recent.ts';
import { factsOfPlaced, WholePasses } from './whole-passes.ts';

/** Who keeps the books of a storage. */
export interface StorageLedger {
  /** Before the bytes are placed, unless that is done (`isNoted`): from now on, for a day, nobody takes them for forgotten. */
  stored(blob: StoredBlob): Promise<void>;
  /** A read met a blob that is not what it was. Does not throw. */
  fault(fault: BlobFault): void;
  /** A blob that was at fault is whole again. Does not throw. */
  healed(sha256: string): void;
}

const noLedger: StorageLedger = { stored: () => Promise.resolve(), fault: () => {}, healed: () => {} };

/**
 * The parts that a reader of PDF goes back to, of all blobs together: a file's, while it is worked on. What of it stays when that
 * is over counts as memory that a worker process was left with, and one with too much of it is replaced (workers/worker-program.ts).
 */
const CHUNKS_KEPT = 4 * 1024 * 1024;

/**
 * A store that trusts nothing it reads back. The whole of a blob is hashed before its first byte is used; that pass leaves
 * the digests of its parts, and every later read is checked part by part against them. What was checked and what is used
 * are therefore the same bytes, however the file changes in between, and a range costs no pass over the whole.
 */
export function verifiedStore(place: BlobPlace, ledger: StorageLedger = noLedger): BlobStore {
  const faulty = new Set<string>();
  const kept = new LeastRecent<Uint8Array>(CHUNKS_KEPT);
  const passes = new WholePasses(place, (sha256) => {
    if (faulty.delete(sha256)) ledger.healed(sha256);
  });
  const failed = (error: unknown): unknown => {
    if (!(error instanceof BlobFault)) return error;
    faulty.add(error.sha256);
    passes.forget(error.sha256);
    ledger.fault(error);
    return error;
  };
  const tellUnkept = (error: unknown): never => {
    if (!(error instanceof UnkeptError)) throw error;
    failed(error.cause);
    throw error;
  };
  return {
    put: (content, options) => put(place, ledger, passes, content, options).catch(tellUnkept),
    async *read(sha256, range) {
      try {
        const digests = await passes.digestsOf(sha256);
        if (range && range.offset + range.length > digests.size) throw new BlobFault(sha256, 'damaged');
        yield* checkedSlice(place, sha256, digests, range ?? { offset: 0, length: digests.size });
      } catch (error) {
        throw failed(error);
      }
    },
    async readRange(sha256, range) {
      try {
        return await checkedRange(place, sha256, await passes.digestsOf(sha256, (whole) => keepPart(kept, sha256, 0, whole)), range, kept);
      } catch (error) {
        throw failed(error);
      }
    },
    async check(sha256) {
      try {
        return await passes.check(sha256);
      } catch (error) {
        throw failed(error);
      }
    },
    audit: (sha256) => audit(place, passes, sha256),
    list: () => place.list(),
    has: async (sha256) => (await place.facts(sha256)) !== null,
    async delete(sha256) {
      passes.forget(sha256);
      await place.delete(sha256);
    },
    probe: () => probe(place),
    sweepLeftovers: (before) => place.sweepLeftovers(before),
  };
}

async function put(
  place: BlobPlace,
  ledger: StorageLedger,
  passes: WholePasses,
  content: AsyncIterable<Uint8Array>,
  { maxBytes = Number.POSITIVE_INFINITY, admit, signal, isNoted = false }: PutOptions = {},
): Promise<StoredBlob> {
  const hasher = new ChunkHasher();
  const staged = await place.stage(measured(content, hasher, maxBytes), signal);
  try {
    const found = hasher.digest();
    const blob = { sha256: found.sha256, size: hasher.size };
    await admit?.(blob);
    if (!isNoted) await ledger.stored(blob);
    await staged.place(blob.sha256);
    if (place.isBelieved) passes.written(blob.sha256, found.chunks);
    else await readBack(passes, blob.sha256);
    return blob;
  } finally {
    await staged.discard();
  }
}

/** What was placed is not there as it was given. */
class UnkeptError extends StorageUnavailableError {}

/** An answer over a network, that of a gateway or a cache too, is no file: it counts when the bytes came back. */
async function readBack(passes: WholePasses, sha256: string): Promise<void> {
  try {
    await passes.hash(sha256);
  } catch (error) {
    throw error instanceof BlobFault ? new UnkeptError(error) : error;
  }
}

async function audit(place: BlobPlace, passes: WholePasses, sha256: string): Promise<BlobState> {
  let size = 0;
  try {
    const facts = await factsOfPlaced(place, sha256);
    if (!facts) return { state: 'missing' };
    size = facts.size;
    return { state: 'whole', size: (await passes.hash(sha256)).size };
  } catch (error) {
    if (error instanceof BlobFault && error.kind === 'missing') return { state: 'missing' };
    // A file that cannot be read in a storage that works (a bad sector, a folder in its place) is at fault itself.
    if (error instanceof StorageUnavailableError) await probe(place);
    else if (!(error instanceof BlobFault)) throw error;
    return { state: 'damaged', size };
  }
}

async function probe(place: BlobPlace): Promise<void> {
  const name = `tmp/probe-${randomUUID()}`;
  let back: string | null;
  try {
    await place.writeNote(name, name);
    back = await place.readNote(name);
  } catch (error) {
    // A full disk keeps the name of what it did not take, and health asks every half minute. One that is away is not waited for once more.
    const gone = place.deleteNote(name).catch(() => {});
    if (!(error instanceof StorageUnavailableError)) await gone;
    throw error;
  }
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
