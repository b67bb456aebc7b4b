import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { mkdir, readdir, readFile, rename, stat, unlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { type BlobPlace, blobKey, isBlobName } from './blob-place.ts';
import { BlobFault, type ByteRange, type StoredBlob, StorageFullError, StorageUnavailableError } from './blob-store.ts';
import { asideReader, type FileReader, type OpenFile, openNumber } from './file-reader.ts';

/** Whoever reads slowly holds one of these. */
const READ = 256 * 1024;

/**
 * Blobs in a folder: written to a temporary name, synced, renamed to their hash, and the directory synced, in this order. A
 * crash leaves a temporary file at worst; see `sweepLeftovers`. Renaming replaces what had the name: the same bytes, or
 * damaged ones.
 */
export function openDiskPlace(root: string, reader: FileReader = asideReader): BlobPlace {
  const temporary = join(root, 'tmp');
  const kept = new Set<string>();
  return {
    isBelieved: true,
    setting: { variable: 'LAVRA_DATA_DIR', value: root },
    async stage(content) {
      const path = join(temporary, randomUUID());
      const discard = () => unlink(path).catch(() => {});
      let isPlaced = false;
      try {
        await writeSynced(path, content);
      } catch (error) {
        await discard();
        throw error;
      }
      return {
        async place(sha256) {
          await told(renameDurably(path, pathOf(root, sha256), root, kept));
          isPlaced = true;
        },
        discard: () => (isPlaced ? Promise.resolve() : discard()),
      };
    },
    read: (sha256, range) => readBlob(reader, pathOf(root, sha256), sha256, range),
    async facts(sha256) {
      const facts = await told(unlessMissing(reader.facts(pathOf(root, sha256))));
      if (facts && !facts.isFile()) throw new BlobFault(sha256, 'damaged');
      return facts && { size: Number(facts.size), stamp: `${facts.ino}:${facts.size}:${facts.mtimeNs}:${facts.ctimeNs}` };
    },
    delete: async (sha256) => void (await told(unlessMissing(unlink(pathOf(root, sha256))))),
    list: () => listBlobs(root),
    sweepLeftovers: (before) => sweepLeftovers(temporary, before),
    readNote: (name) => told(unlessMissing(readFile(join(root, name), 'utf8'))),
    async writeNote(name, text) {
      const path = join(root, name);
      await told(mkdir(dirname(path), { recursive: true, mode: 0o700 }));
      await told(writeFile(path, text, { mode: 0o600, flush: true }));
    },
    deleteNote: async (name) => void (await told(unlessMissing(unlink(join(root, name))))),
  };
}

/** Where a blob lies. @throws BlobFault: nothing of that name can be there */
function pathOf(root: string, sha256: string): string {
  if (!isBlobName(sha256)) throw new BlobFault(sha256, 'missing');
  return join(root, blobKey(sha256));
}

async function writeSynced(path: string, content: AsyncIterable<Uint8Array>): Promise<void> {
  const file = await told(unlessMissing(openNumber(path, 'wx', 0o600)).then((opened) => opened ?? openInNewFolder(path)));
  try {
    for await (const chunk of content) {
      // `write` may take a part only: a full disk does.
      for (let at = 0; at < chunk.length;) at += await told(write(file, chunk, at));
    }
    await told(force(file));
  } finally {
    fs.closeSync(file);
  }
}

const write = (file: number, chunk: Uint8Array, at: number): Promise<number> =>
  new Promise((resolve, reject) => {
    fs.write(file, chunk, at, (error, written) => (error ? reject(error) : resolve(written)));
  });

const force = (file: number): Promise<void> =>
  new Promise((resolve, reject) => {
    fs.fsync(file, (error) => (error ? reject(error) : resolve()));
  });

async function openInNewFolder(path: string): Promise<number> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  return openNumber(path, 'wx', 0o600);
}

/**
 * The bytes are there only if every name above them is. `kept`: the folders of the storage, at most 256 with 256 in each, whose names this program
 * has forced to disk; one that is new, or that another is just making, is not among them, and one that was taken away is none any more.
 */
async function renameDurably(from: string, to: string, root: string, kept: Set<string>): Promise<void> {
  const inner = dirname(to);
  const outer = dirname(inner);
  const name = relative(root, inner);
  if (kept.delete(name) && (await isRenamed(from, to))) {
    await syncDirectory(inner);
    kept.add(name);
    return;
  }
  const made = await mkdir(inner, { recursive: true, mode: 0o700 });
  await rename(from, to);
  await syncDirectory(inner);
  await syncDirectory(outer);
  if (!kept.has(outer) || (made !== undefined && made !== inner)) await syncDirectory(root);
  kept.add(outer).add(name);
}

/** False where the folder is gone. */
async function isRenamed(from: string, to: string): Promise<boolean> {
  return (await unlessMissing(rename(from, to).then(() => true))) ?? false;
}

async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const directory = await openNumber(path, 'r');
  try {
    await force(directory);
  } finally {
    fs.closeSync(directory);
  }
}

async function openBlob(reader: FileReader, path: string, sha256: string): Promise<OpenFile> {
  const file = await told(unlessMissing(reader.open(path)));
  if (!file) throw new BlobFault(sha256, 'missing');
  if (file.isFile) return file;
  await file.close();
  throw new BlobFault(sha256, 'damaged');
}

async function* readBlob(reader: FileReader, path: string, sha256: string, range: ByteRange | undefined): AsyncGenerator<Uint8Array> {
  const file = await openBlob(reader, path, sha256);
  const { size } = file;
  try {
    let position = range?.offset ?? 0;
    const end = range ? range.offset + range.length : Number.POSITIVE_INFINITY;
    while (position < end) {
      // Most files are a tenth of what is read at once. One byte more than is there tells where it ends.
      const room = Math.min(READ, end - position, Math.max(size - position, 0) + 1);
      const buffer = Buffer.allocUnsafe(room);
      const bytesRead = await told(file.read(buffer, position));
      if (bytesRead === 0) return;
      position += bytesRead;
      yield buffer.subarray(0, bytesRead);
      // Less than was asked for, and all that there was when it was opened.
      if (bytesRead < room && position >= size) return;
    }
  } finally {
    await file.close();
  }
}

async function* listBlobs(root: string): AsyncGenerator<StoredBlob> {
  for (const outer of await namesIn(root, /^[0-9a-f]{2}$/)) {
    for (const inner of await namesIn(join(root, outer), /^[0-9a-f]{2}$/)) {
      for (const sha256 of await namesIn(join(root, outer, inner), /^[0-9a-f]{64}$/)) {
        const facts = await unlessMissing(stat(pathOf(root, sha256)));
        if (facts) yield { sha256, size: facts.size };
      }
    }
  }
}

async function sweepLeftovers(temporary: string, before: Date): Promise<number> {
  let swept = 0;
  for (const name of await namesIn(temporary, /^/)) {
    const path = join(temporary, name);
    const facts = await unlessMissing(stat(path));
    if (!facts || facts.mtimeMs >= before.getTime()) continue;
    await unlink(path).catch(() => {});
    swept += 1;
  }
  return swept;
}

async function namesIn(directory: string, pattern: RegExp): Promise<string[]> {
  const names = await told(unlessMissing(readdir(directory)));
  return (names ?? []).filter((name) => pattern.test(name)).toSorted();
}

const errno = (error: unknown) => (error as NodeJS.ErrnoException).code;

async function unlessMissing<T>(act: Promise<T>): Promise<T | null> {
  try {
    return await act;
  } catch (error) {
    if (errno(error) === 'ENOENT') return null;
    throw error;
  }
}

/** The file system's faults in our words. */
async function told<T>(act: Promise<T>): Promise<T> {
  try {
    return await act;
  } catch (error) {
    if (errno(error) === undefined) throw error;
    throw ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(errno(error) ?? '') ? new StorageFullError(error) : new StorageUnavailableError(error);
  }
}
