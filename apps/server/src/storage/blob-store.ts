/** Part of a blob, in bytes. */
export interface ByteRange {
  offset: number;
  length: number;
}

export interface StoredBlob {
  sha256: string;
  size: number;
}

/**
 * Files by the SHA-256 (lower-case hex) of their content. A stored blob never changes; storing the same
 * bytes twice is storing them once. When `put` answers, the bytes survive a power cut.
 */
export interface BlobStore {
  /** @throws BlobTooLargeError past `maxBytes`; nothing is kept then */
  put(content: AsyncIterable<Uint8Array>, options?: { maxBytes?: number }): Promise<StoredBlob>;
  /** Streams a blob or a part of it. */
  read(sha256: string, range?: ByteRange): AsyncIterable<Uint8Array>;
  readRange(sha256: string, range: ByteRange): Promise<Uint8Array>;
  has(sha256: string): Promise<boolean>;
  delete(sha256: string): Promise<void>;
}

export class BlobTooLargeError extends Error {
  override readonly name = 'BlobTooLargeError';
}

export class BlobMissingError extends Error {
  override readonly name = 'BlobMissingError';
}

/** Stores bytes that are in memory already. */
export function putBytes(store: BlobStore, bytes: Uint8Array): Promise<StoredBlob> {
  return store.put(
    (async function* () {
      yield bytes;
    })(),
  );
}

/** The whole of a small blob. */
export async function readBytes(store: BlobStore, sha256: string): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of store.read(sha256)) chunks.push(chunk);
  return Buffer.concat(chunks);
}
