/** Node's binding of `@lavra/pades`: files as sources. Digests and randomness are found by `platformCrypto`. */
import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { assertBelongs, chunksOf } from './source.ts';
import type { PdfSource, Revision } from './source.ts';

/** A file that is open until it is closed. */
export interface FileSource extends PdfSource, AsyncDisposable {
  close(): Promise<void>;
}

/** A file up to this size is read once and kept while it is open: most of the time goes into asking, not into reading. */
const wholeSize = 4 << 20;

/** A PDF file, read where needed (up to 4 MiB: at once). Close it, or use `await using`. Throws what Node throws (ENOENT); EISDIR, ESPIPE for what is no file. */
export async function fileSource(path: string): Promise<FileSource> {
  const handle = await open(path, 'r');
  const found = await handle.stat();
  const { size } = found;
  const close = (): Promise<void> => handle.close();
  if (!found.isFile()) {
    await close();
    // Node opens folders and pipes: the one fails at the first read, the other has no size and cannot be read twice.
    const code = found.isDirectory() ? 'EISDIR' : 'ESPIPE';
    throw Object.assign(new Error(`${code}: not a file`), { code });
  }
  if (size <= wholeSize) {
    let whole: Promise<Uint8Array> | null = null;
    const read = async (offset: number, length: number): Promise<Uint8Array> => {
      whole ??= readFully(handle, 0, size);
      return (await whole).subarray(offset, offset + length);
    };
    return { size, read, close, [Symbol.asyncDispose]: close };
  }
  return {
    size,
    read: (offset, length) => readFully(handle, offset, length),
    readInto: (offset, target) => fill(handle, offset, target),
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function readFully(handle: FileHandle, offset: number, length: number): Promise<Uint8Array> {
  // Not zeroed: every byte that is handed on has been read. As a plain Uint8Array, whose `slice` copies.
  const { buffer, byteOffset } = Buffer.allocUnsafeSlow(length);
  const bytes = new Uint8Array(buffer, byteOffset, length);
  return bytes.subarray(0, await fill(handle, offset, bytes));
}

async function fill(handle: FileHandle, offset: number, target: Uint8Array): Promise<number> {
  let filled = 0;
  while (filled < target.length) {
    const { bytesRead } = await handle.read(target, filled, target.length - filled, offset + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return filled;
}

/** A last piece up to this size goes out together with the revision: one write less. */
const joinSize = 256 << 10;

/**
 * The new file's bytes in pieces: the base's, of at most 1 MiB, then the revision's (the two joined where they are small).
 * A piece is good until the next one. Throws INVALID_PLAN for another file's revision.
 */
export async function* revisionBytes(base: PdfSource, revision: Revision): AsyncGenerator<Uint8Array> {
  assertBelongs(base, revision);
  let left = revision.offset;
  for await (const piece of chunksOf(base, 0, revision.offset)) {
    left -= piece.length;
    if (left === 0 && piece.length <= joinSize) {
      yield Buffer.concat([piece, revision.bytes]);
      return;
    }
    yield piece;
  }
  yield revision.bytes;
}

/**
 * Writes base and revision into an open, empty file, 1 MiB at a time. The revision may still be in the making: the base's
 * bytes are the new file's whatever comes, and are written meanwhile. When the revision is refused the file is left with
 * a part of them: the caller removes it. Throws what the revision rejects with, and INVALID_PLAN for another file's.
 */
export async function writeRevision(out: FileHandle, base: PdfSource, revision: Revision | Promise<Revision>): Promise<Revision> {
  const [made] = await Promise.all([revision, copy(out, base)]);
  assertBelongs(base, made);
  await writeFully(out, made.offset, made.bytes);
  return made;
}

async function copy(out: FileHandle, base: PdfSource): Promise<void> {
  let at = 0;
  for await (const piece of chunksOf(base, 0, base.size)) {
    await writeFully(out, at, piece);
    at += piece.length;
  }
}

async function writeFully(out: FileHandle, offset: number, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const { bytesWritten } = await out.write(bytes, done, bytes.length - done, offset + done);
    done += bytesWritten;
  }
}

/**
 * Writes base and revision to a new file and forces it to disk. Throws INVALID_PLAN for another file's revision, and what
 * Node throws: EEXIST when the file is there, which is left alone. What was begun is left to the caller to remove.
 */
export async function writeRevised(path: string, base: PdfSource, revision: Revision): Promise<void> {
  const out = await open(path, 'wx');
  try {
    await writeRevision(out, base, revision);
    await out.sync();
  } finally {
    await out.close();
  }
}
