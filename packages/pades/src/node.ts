/** Node's binding of `@lavra/pades`: files as sources. Digests and randomness are found by `platformCrypto`. */
import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { chunksOf } from './source.ts';
import type { PdfSource, Revision } from './source.ts';

export interface FileSource extends PdfSource, AsyncDisposable {
  close(): Promise<void>;
}

/** A PDF file, read where needed. Close it, or use `await using`. */
export async function fileSource(path: string): Promise<FileSource> {
  const handle = await open(path, 'r');
  const { size } = await handle.stat();
  const close = (): Promise<void> => handle.close();
  return {
    size,
    read: (offset, length) => readFully(handle, offset, length),
    readInto: (offset, target) => fill(handle, offset, target),
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function readFully(handle: FileHandle, offset: number, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
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

/** The new file's bytes in pieces of at most 1 MiB: the base's, then the revision's. A piece is good until the next one. */
export async function* revisionBytes(base: PdfSource, revision: Revision): AsyncGenerator<Uint8Array> {
  yield* chunksOf(base, 0, revision.offset);
  yield revision.bytes;
}

/** Writes base and revision to a new file, 1 MiB at a time. */
export async function writeRevised(path: string, base: PdfSource, revision: Revision): Promise<void> {
  const out = await open(path, 'wx');
  try {
    for await (const bytes of revisionBytes(base, revision)) await out.writeFile(bytes);
    await out.sync();
  } finally {
    await out.close();
  }
}
