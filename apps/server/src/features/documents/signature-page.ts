import { signaturePageFileName } from '@lavra/domain';
import type { Ctx } from '../../context.ts';
import * as store from './documents.store.ts';

/** A signature page that is a file of its own: sealed, and stored. */
export interface StoredPage {
  documentId: string;
  sha256: string;
  size: number;
}

/** Notes that a document gets its signature page as a file of its own; call inside the transaction of its preparation. */
export function notePageApart(tx: Ctx, documentId: string): Promise<void> {
  return store.setPageApart(tx, documentId);
}

/** Records the separate signature page of a document; call inside the transaction that ends its process. */
export function recordSignaturePage(tx: Ctx, { documentId, sha256, size }: StoredPage): Promise<void> {
  return store.setSignaturePage(tx, documentId, { hash: sha256, size });
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
