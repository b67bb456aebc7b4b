import { DomainError } from '@lavra/domain';
import type { Ctx } from '../../context.ts';
import { findDocumentProcess } from '../documents/document-access.ts';
import { type DocumentFile, openDocumentFile } from '../documents/document-file.ts';
import { signaturePageOf, type StoredFile } from '../documents/signature-page.ts';
import { loadProcess } from '../processes/load-process.ts';
import type { LoadedProcess } from '../processes/signature-process.ts';
import { isTicketGood } from './ticket.ts';

/** What opens the verification of one document. */
export interface Ticketed {
  documentId: string;
  ticket: string;
}

/** @throws DomainError verification.notPermitted */
export async function openVerified(
  ctx: Ctx,
  { documentId, ticket }: Ticketed,
): Promise<{ loaded: LoadedProcess; file: DocumentFile; page: StoredFile | null }> {
  const id = documentId.toLowerCase();
  const signatureProcessId = isTicketGood(ctx, id, ticket) ? await findDocumentProcess(ctx, id) : undefined;
  if (signatureProcessId === undefined) throw new DomainError('verification.notPermitted');
  const [loaded, file] = [await loadProcess(ctx, signatureProcessId), await openDocumentFile(ctx, id)];
  const document = loaded.documents.find((one) => one.id === file.documentId);
  return { loaded, file, page: document ? signaturePageOf(document) : null };
}
