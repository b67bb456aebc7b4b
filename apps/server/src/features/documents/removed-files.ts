import type { Ctx } from '../../context.ts';
import * as store from './removed-files.store.ts';

export type RemovedDocument = store.RemovedDocument;

/** The files of a process are kept no longer; call inside the transaction that writes it into its log. What they were is answered once. */
export function removeFilesOfProcess(tx: Ctx, signatureProcessId: string): Promise<RemovedDocument[]> {
  return store.removeFilesOf(tx, signatureProcessId);
}

/** What a document was whose files are kept no longer: a copy that somebody kept is compared with its hash. */
export function findRemoved(ctx: Ctx, documentId: string): ReturnType<typeof store.findRemoved> {
  return store.findRemoved(ctx, documentId);
}
