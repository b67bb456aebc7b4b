import { mkdir, readFile, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { blobKey } from '../storage/blob-place.ts';
import type { TestApp } from './app.ts';

/** What a disk, or somebody at it, does to stored files. */
export function spoilBlobs(root: string) {
  const pathOf = (sha256: string) => join(root, blobKey(sha256));
  return {
    pathOf,
    /** One byte is another, and the file's times say nothing of it. */
    async flip(sha256: string, at = 0): Promise<void> {
      const path = pathOf(sha256);
      const times = await stat(path);
      const bytes = await readFile(path);
      bytes[at] = (bytes[at] ?? 0) ^ 0xff;
      await writeFile(path, bytes);
      await utimes(path, times.atime, times.mtime);
    },
    cut: async (sha256: string) => truncate(pathOf(sha256), (await stat(pathOf(sha256))).size - 1),
    lose: (sha256: string) => rm(pathOf(sha256)),
    async giveBack(sha256: string, bytes: Uint8Array): Promise<void> {
      await mkdir(dirname(pathOf(sha256)), { recursive: true });
      await writeFile(pathOf(sha256), bytes);
    },
    read: (sha256: string) => readFile(pathOf(sha256)),
  };
}

export const blobsOf = (app: TestApp) => spoilBlobs(join(app.dataDir, 'blobs'));

/** The hash of one revision of a document. */
export async function revisionHash(
  app: TestApp,
  documentId: string,
  kind: 'upload' | 'preparation' | 'signature' | 'seal',
): Promise<string> {
  const row = await app.ctx.db
    .selectFrom('document_revision')
    .select('blob_hash')
    .where('document_id', '=', documentId)
    .where('kind', '=', kind)
    .executeTakeFirstOrThrow();
  return row.blob_hash;
}
