import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, link, mkdir, open, readdir, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type BlobStore, BlobMissingError, BlobTooLargeError, type StoredBlob } from './blob-store.ts';

const CHUNK = 1024 * 1024;
const LEFTOVER_AGE_MS = 24 * 3_600_000;

/**
 * Blobs on disk: written to a temporary name, synced, linked under their hash (which never overwrites),
 * and the directory synced, in this order. A crash leaves a temporary file at worst; see `sweepLeftovers`.
 */
export async function openDiskStore(root: string): Promise<BlobStore> {
  const temporary = join(root, 'tmp');
  await mkdir(temporary, { recursive: true, mode: 0o700 });
  await sweepLeftovers(temporary);
  const pathOf = (sha256: string) => {
    if (!/^[0-9a-f]{64}$/.test(sha256)) throw new BlobMissingError(sha256);
    return join(root, sha256.slice(0, 2), sha256.slice(2, 4), sha256);
  };
  return {
    async put(content, options = {}) {
      const path = join(temporary, randomUUID());
      try {
        const stored = await writeSynced(path, content, options.maxBytes ?? Number.POSITIVE_INFINITY);
        await linkDurably(path, pathOf(stored.sha256), root);
        return stored;
      } finally {
        await unlink(path).catch(() => {});
      }
    },
    async *read(sha256, range) {
      const file = await openBlob(pathOf(sha256));
      try {
        let position = range?.offset ?? 0;
        const end = range ? range.offset + range.length : (await file.stat()).size;
        while (position < end) {
          const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(Math.min(CHUNK, end - position)), 0, undefined, position);
          if (bytesRead === 0) throw new BlobMissingError(`${sha256} ends at ${position}`);
          position += bytesRead;
          yield buffer.subarray(0, bytesRead);
        }
      } finally {
        await file.close();
      }
    },
    async readRange(sha256, { offset, length }) {
      const file = await openBlob(pathOf(sha256));
      try {
        const buffer = Buffer.allocUnsafe(length);
        let filled = 0;
        while (filled < length) {
          const { bytesRead } = await file.read(buffer, filled, length - filled, offset + filled);
          if (bytesRead === 0) break;
          filled += bytesRead;
        }
        return buffer.subarray(0, filled);
      } finally {
        await file.close();
      }
    },
    has: (sha256) =>
      stat(pathOf(sha256)).then(
        () => true,
        () => false,
      ),
    delete: (sha256) => unlink(pathOf(sha256)).catch(() => {}),
  };
}

async function writeSynced(path: string, content: AsyncIterable<Uint8Array>, maxBytes: number): Promise<StoredBlob> {
  const file = await open(path, 'wx', 0o600);
  try {
    const hash = createHash('sha256');
    let size = 0;
    for await (const chunk of content) {
      size += chunk.length;
      if (size > maxBytes) throw new BlobTooLargeError();
      hash.update(chunk);
      await file.writev([chunk]);
    }
    await file.sync();
    return { sha256: hash.digest('hex'), size };
  } finally {
    await file.close();
  }
}

async function linkDurably(from: string, to: string, root: string): Promise<void> {
  const directory = dirname(to);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  try {
    await link(from, to);
  } catch (error) {
    // The same content is there already.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  // The name, and the names of directories that may be new, must be on the disk too.
  for (const path of [directory, dirname(directory), root]) await syncDirectory(path);
}

async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

async function openBlob(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new BlobMissingError(path);
    throw error;
  }
}

/** Removes what a crash in mid-write left behind; a day old, so that no write under way is hit. */
async function sweepLeftovers(temporary: string): Promise<void> {
  for (const name of await readdir(temporary)) {
    const path = join(temporary, name);
    const facts = await stat(path).catch(() => null);
    if (facts && Date.now() - facts.mtimeMs > LEFTOVER_AGE_MS) await unlink(path).catch(() => {});
  }
}
