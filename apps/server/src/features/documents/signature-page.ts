import { signaturePageFileName } from '@lavra/domain';
import type { Write } from '../../db/at-once.ts';
import type { BlobEntry } from '../../storage/blobs.store.ts';
import * as store from './documents.store.ts';

/** A signature page that is a file of its own: sealed, and stored. */
export interface StoredPage {
  documentId: string;
  sha256: string;
  size: number;
}

/** Notes that documents get their signature pages as files of their own, in the statement of their preparation. */
export const pagesApart = store.pageApartWrites;

/** Records separate signature pages, in the statement that ends the process. */
export function signaturePages(pages: readonly StoredPage[]): { blobs: BlobEntry[]; writes: Write[] } {
  return { blobs: pages.map(({ sha256, size }) => ({ sha256, size, kind: 'page' })), writes: store.signaturePageWrites(pages) };
}

/** A stored file that is handed out whole. */
export interface StoredFile {
  name: string;
  hash: string;
  size: number;
}

/** The separate signature page of a finished document, where it has one. */
export function signaturePageOf({
  name,
  signaturePage,
}: {
  name: string;
  signaturePage: { hash: string; size: number } | null;
}): StoredFile | null {
  return signaturePage && { name: signaturePageFileName(name), ...signaturePage };
}
