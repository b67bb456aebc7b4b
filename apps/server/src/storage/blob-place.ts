import type { ByteRange } from './blob-store.ts';

/** Bytes that are stored under a temporary name. */
export interface StagedBlob {
  /** Names them for good, over whatever had the name, so that they survive a power cut. */
  place(sha256: string): Promise<void>;
  /** Removes the temporary name; after `place` as well. */
  discard(): Promise<void>;
}

/**
 * Where blobs lie: a folder or a bucket. It believes what it reads and names what it is told; `verifiedStore` does the
 * hashing, once for all places.
 */
export interface BlobPlace {
  /** Keeps nothing when the content or the storing breaks off. @throws what the content throws, StorageFullError, StorageUnavailableError */
  stage(content: AsyncIterable<Uint8Array>, signal?: AbortSignal): Promise<StagedBlob>;
  /** @throws BlobFault when it is missing; a shorter blob ends early */
  read(sha256: string, range?: ByteRange): AsyncIterable<Uint8Array>;
  /** Null: it is not there. `stamp` changes when the bytes are written anew. */
  facts(sha256: string): Promise<{ size: number; stamp: string } | null>;
  delete(sha256: string): Promise<void>;
  list(): AsyncIterable<{ sha256: string; size: number }>;
  sweepLeftovers(before: Date): Promise<number>;
  /** Small texts beside the blobs: the mark of the storage, probes. Null: there is none. */
  readNote(name: string): Promise<string | null>;
  writeNote(name: string, text: string): Promise<void>;
  deleteNote(name: string): Promise<void>;
  /** Whether what was placed is there because the place says so; else it is read back. */
  readonly isBelieved: boolean;
  /** Words for the operator: which setting says where this is, and what it says. */
  readonly setting: { variable: string; value: string };
}

export const isBlobName = (name: string): boolean => /^[0-9a-f]{64}$/.test(name);

/** Both kinds of place spread blobs over folders of few entries. */
export const blobKey = (sha256: string): string => `${sha256.slice(0, 2)}/${sha256.slice(2, 4)}/${sha256}`;
