import type { Ctx } from '../context.ts';

/** A file as it is handed out: in pieces, without being in memory. */
export interface StreamedFile {
  name: string;
  contentType: string;
  /** Strong validator without quotes. */
  etag: string;
  size: number;
  stream(offset: number, length: number): AsyncIterable<Uint8Array>;
}

/** A PDF that is stored in one piece. */
export function storedFile(ctx: Pick<Ctx, 'storage'>, { name, hash, size }: { name: string; hash: string; size: number }): StreamedFile {
  return {
    name,
    size,
    contentType: 'application/pdf',
    etag: hash,
    stream: (offset, length) => ctx.storage.read(hash, { offset, length }),
  };
}
