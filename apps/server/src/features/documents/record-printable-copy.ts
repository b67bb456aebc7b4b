import type { Ctx } from '../../context.ts';
import * as store from './documents.store.ts';

/** Records the copy to print of a document; the first one stays. Call inside a transaction. */
export function recordPrintableCopy(tx: Ctx, documentId: string, copy: { hash: string; size: number }): Promise<void> {
  return store.setPrintableCopy(tx, documentId, copy);
}
