import { DomainError } from '@lavra/domain';

/** Part of a blob, in bytes. */
export interface ByteRange {
  offset: number;
  length: number;
}

export interface StoredBlob {
  sha256: string;
  size: number;
}

export interface PutOptions {
  maxBytes?: number;
  /** Asked when the size is known and before the bytes are kept; what it throws keeps them out. */
  admit?: (blob: StoredBlob) => Promise<void>;
  /** Ends the storing, e.g. because the client is gone. */
  signal?: AbortSignal;
  /**
   * The books are not told before the bytes are placed: `admit` does that, or they are new in the world (`putFresh`), so that nobody
   * can be removing the same, forgotten a day ago. Who refers to them enters them; where their maker dies before, the night does (`adoptUnknownFiles`).
   */
  isNoted?: boolean;
}

/**
 * Content-addressed storage: files by the SHA-256 (lower-case hex) of their content. A stored blob never changes; storing the same bytes twice is
 * storing them once, and mends a blob that was damaged or lost. When `put` answers, the bytes survive a power cut. No read
 * ever gives a byte that is not the one that was stored (docs/decisions/013).
 */
export interface BlobStore {
  /** @throws BlobTooLargeError past `maxBytes`, StorageFullError, StorageUnavailableError; nothing is kept then */
  put(content: AsyncIterable<Uint8Array>, options?: PutOptions): Promise<StoredBlob>;
  /** Streams a blob or a part of it. @throws BlobFault before a wrong byte is given */
  read(sha256: string, range?: ByteRange): AsyncIterable<Uint8Array>;
  /** A part of a blob; shorter at its end. @throws BlobFault */
  readRange(sha256: string, range: ByteRange): Promise<Uint8Array>;
  /** The size of a blob whose stored bytes, all of them, are what they were. @throws BlobFault */
  check(sha256: string): Promise<number>;
  /** The same, read anew whatever is remembered, and a fault is only answered. */
  audit(sha256: string): Promise<BlobState>;
  /** What is there, whole or not. */
  list(): AsyncIterable<{ sha256: string; size: number }>;
  has(sha256: string): Promise<boolean>;
  delete(sha256: string): Promise<void>;
  /** Writes, reads and deletes something small. @throws when the storage cannot work now */
  probe(): Promise<void>;
  /** Removes what writers that died before `before` left half written; how many. */
  sweepLeftovers(before: Date): Promise<number>;
}

export type BlobState = { state: 'whole'; size: number } | { state: 'missing' } | { state: 'damaged'; size: number };

export class BlobTooLargeError extends Error {
  override readonly name = 'BlobTooLargeError';
}

/** The storage's own faults: never the caller's. */
export abstract class StorageError extends DomainError {}

/** A blob that was stored and is not there as it was. Nothing that rests on it may go on. */
export class BlobFault extends StorageError {
  readonly sha256: string;
  readonly kind: 'missing' | 'damaged';

  constructor(sha256: string, kind: 'missing' | 'damaged') {
    super('storage.damaged');
    this.sha256 = sha256;
    this.kind = kind;
    // The log may name a file, but never all of its hash: with it a file can be recognised.
    this.message = `a stored file is ${kind} (${sha256.slice(0, 12)}…)`;
  }
}

/** No room. */
export class StorageFullError extends StorageError {
  constructor(cause: unknown) {
    super('storage.full');
    this.cause = cause;
  }
}

/** The storage is away, too slow or refuses us. */
export class StorageUnavailableError extends StorageError {
  constructor(cause: unknown) {
    super('storage.unavailable');
    this.cause = cause;
  }
}

/** Stores bytes that are in memory already. */
export function putBytes(store: BlobStore, bytes: Uint8Array, options?: PutOptions): Promise<StoredBlob> {
  return store.put(
    (async function* () {
      yield bytes;
    })(),
    options,
  );
}

/** The same of bytes that nobody can have stored before, as they bear a signature or a file identifier (ISO 32000-2 §14.4) that was made this moment: see `isNoted`. */
export function putFresh(store: BlobStore, bytes: Uint8Array): Promise<StoredBlob> {
  return putBytes(store, bytes, { isNoted: true });
}

/** The whole of a small blob. */
export async function readBytes(store: BlobStore, sha256: string): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of store.read(sha256)) chunks.push(chunk);
  return Buffer.concat(chunks);
}
