import { createHash } from 'node:crypto';
import type { BlobPlace } from '../../storage/blob-place.ts';
import { BlobFault, StorageUnavailableError } from '../../storage/blob-store.ts';
import type { InventoryEntry } from './snapshot.ts';

export interface CopiedBlobs {
  /** That the inventory names and that are whole over there now. */
  files: number;
  /** Of those, how many were not there before. */
  copied: number;
  bytes: number;
  /** Referred to, and not to be had as what they were. */
  faults: { sha256: string; fault: 'missing' | 'damaged' }[];
}

const AT_ONCE = 4;

/**
 * Copies what the inventory names, and believes neither side: bytes get their name over there when they have its hash, a bucket has them
 * when they come back, and what is there from a run before counts when it still has it. Killed at any point it can be begun again and goes on.
 */
export async function copyBlobs(from: BlobPlace, to: BlobPlace, inventory: AsyncIterable<InventoryEntry>): Promise<CopiedBlobs> {
  const result: CopiedBlobs = { files: 0, copied: 0, bytes: 0, faults: [] };
  const entries = inventory[Symbol.asyncIterator]();
  const work = async () => {
    for (let next = await entries.next(); !next.done; next = await entries.next()) await copyOne(from, to, next.value, result);
  };
  const done = await Promise.allSettled(Array.from({ length: AT_ONCE }, work));
  for (const outcome of done) if (outcome.status === 'rejected') throw outcome.reason;
  return result;
}

async function copyOne(from: BlobPlace, to: BlobPlace, { sha256, isNeeded }: InventoryEntry, result: CopiedBlobs): Promise<void> {
  const there = await sizeIfWhole(to, sha256);
  const bytes = there ?? (await copyIfWhole(from, to, sha256));
  if (typeof bytes === 'number') {
    result.files += 1;
    result.bytes += bytes;
    if (there === null) result.copied += 1;
  } else if (isNeeded) result.faults.push({ sha256, fault: bytes });
}

/** Null as well for what a place says it has and does not give, or never stops giving. */
async function sizeIfWhole(place: BlobPlace, sha256: string): Promise<number | null> {
  const hash = createHash('sha256');
  let size = 0;
  try {
    const facts = await place.facts(sha256);
    if (!facts) return null;
    for await (const chunk of place.read(sha256)) {
      hash.update(chunk);
      size += chunk.length;
      if (size > facts.size) return null;
    }
  } catch (error) {
    if (error instanceof BlobFault) return null;
    throw error;
  }
  return hash.digest('hex') === sha256 ? size : null;
}

async function copyIfWhole(from: BlobPlace, to: BlobPlace, sha256: string): Promise<number | 'missing' | 'damaged'> {
  const hash = createHash('sha256');
  let size = 0;
  async function* watched() {
    for await (const chunk of from.read(sha256)) {
      hash.update(chunk);
      size += chunk.length;
      yield chunk;
    }
  }
  try {
    const staged = await to.stage(watched());
    try {
      if (hash.digest('hex') !== sha256) return 'damaged';
      await staged.place(sha256);
      if (!to.isBelieved && (await sizeIfWhole(to, sha256)) === null)
        throw new StorageUnavailableError(new Error('what was copied could not be read back'));
      return size;
    } finally {
      await staged.discard();
    }
  } catch (error) {
    if (error instanceof BlobFault) return error.kind;
    throw error;
  }
}
