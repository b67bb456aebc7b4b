/** Node's binding of `@lavra/pades`: files as sources. Digests and randomness are found by `platformCrypto`. */
import { open } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import type { PdfSource, Revision } from "./source.ts";

export interface FileSource extends PdfSource, AsyncDisposable {
  close(): Promise<void>;
}

/** A PDF file, read where needed. Close it, or use `await using`. */
export async function fileSource(path: string): Promise<FileSource> {
  const handle = await open(path, "r");
  const { size } = await handle.stat();
  const close = (): Promise<void> => handle.close();
  return {
    size,
    read: (offset, length) => readFully(handle, offset, length),
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function readFully(handle: FileHandle, offset: number, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(bytes, filled, length - filled, offset + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return filled === length ? bytes : bytes.subarray(0, filled);
}

/** The new file's bytes in pieces of at most 1 MiB: the base's, then the revision's. */
export async function* revisionBytes(base: PdfSource, revision: Revision): AsyncGenerator<Uint8Array> {
  const step = 1 << 20;
  for (let offset = 0; offset < revision.offset; offset += step) {
    yield await base.read(offset, Math.min(step, revision.offset - offset));
  }
  yield revision.bytes;
}

/** Writes base and revision to a new file, 1 MiB at a time. */
export async function writeRevised(path: string, base: PdfSource, revision: Revision): Promise<void> {
  const out = await open(path, "wx");
  try {
    for await (const bytes of revisionBytes(base, revision)) await out.writeFile(bytes);
    await out.sync();
  } finally {
    await out.close();
  }
}
