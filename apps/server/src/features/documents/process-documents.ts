import { DomainError } from '@lavra/domain';
import type { Ctx } from '../../context.ts';
import * as store from './process-documents.store.ts';

export type ProcessDocument = store.ProcessDocument;
export type Files = store.Files;
export type FoundDocument = store.FoundDocument;

/** The documents of a process as SQL, for a statement that reads more of it. */
export const documentParts = {
  ofProcess: store.documentsOf,
  byIds: store.documentsById,
  names: store.documentNamesOf,
  taking: store.takingWrites,
};

/** The documents that a process took, in its order. */
export function listProcessDocuments(ctx: Ctx, signatureProcessId: string): Promise<ProcessDocument[]> {
  return store.listProcessDocuments(ctx, signatureProcessId);
}

/** What the documents of several processes are called, in the order of each. */
export function listDocumentNames(ctx: Ctx, processIds: readonly string[]): Promise<store.DocumentName[]> {
  return store.listDocumentNames(ctx, processIds);
}

/** The geometry of their pages: where boxes may stand. */
export function listDocumentPages(ctx: Ctx, signatureProcessId: string) {
  return store.listDocumentPages(ctx, signatureProcessId);
}

/** Whether most of a document's pages are wider than high, as they are shown. */
export function isMostlyLandscape(ctx: Ctx, documentId: string): Promise<boolean> {
  return store.isMostlyLandscape(ctx, documentId);
}

/**
 * What a process takes of the documents that were read, in the order of their ids.
 * @throws DomainError document.notFound, document.inUse
 */
export function documentsToTake(
  found: readonly store.FoundDocument[],
  ownerId: string,
  documentIds: readonly string[],
): store.FoundDocument[] {
  return documentIds.map((id, position) => {
    const document = found.find((one) => one.id === id.toLowerCase());
    if (document?.ownerId !== ownerId) throw new DomainError('document.notFound', { field: 'files' });
    if (document.isTaken || documentIds.indexOf(id) < position) throw new DomainError('document.inUse', { field: 'files' });
    return document;
  });
}

/** A process that is removed gives them back. */
export function releaseDocuments(tx: Ctx, signatureProcessId: string): Promise<void> {
  return store.releaseDocuments(tx, signatureProcessId);
}
