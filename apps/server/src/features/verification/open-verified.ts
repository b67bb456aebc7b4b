import { DomainError } from '@lavra/domain';
import type { Ctx } from '../../context.ts';
import { findDocumentProcess } from '../documents/document-access.ts';
import { type DocumentFile, openDocumentFile } from '../documents/document-file.ts';
import { signaturePageOf, type StoredFile } from '../documents/signature-page.ts';
import { loadProcess } from '../processes/load-process.ts';
import type { LoadedProcess } from '../processes/signature-process.ts';
import { judgeTicket } from './ticket.ts';

/** What opens the verification of one document. */
export interface Ticketed {
  documentId: string;
  ticket: string;
}

/** The process of a document, and what is known of it without its bytes. @throws DomainError verification.notPermitted, verification.ticketExpired */
export async function admitTicket(
  ctx: Ctx,
  { documentId, ticket }: Ticketed,
): Promise<{ loaded: LoadedProcess; document: LoadedProcess['documents'][number] }> {
  const id = documentId.toLowerCase();
  const found = judgeTicket(ctx, id, ticket);
  if (found === 'over') throw new DomainError('verification.ticketExpired');
  const signatureProcessId = found === 'good' ? await findDocumentProcess(ctx, id) : undefined;
  if (signatureProcessId === undefined) throw new DomainError('verification.notPermitted');
  const loaded = await loadProcess(ctx, signatureProcessId);
  const document = loaded.documents.find((one) => one.id === id);
  if (!document) throw new DomainError('verification.notPermitted');
  return { loaded, document };
}

/** The same with its file. @throws DomainError as admitTicket, document.removed */
export async function openVerified(
  ctx: Ctx,
  asked: Ticketed,
): Promise<{ loaded: LoadedProcess; file: DocumentFile; page: StoredFile | null }> {
  const { loaded, document } = await admitTicket(ctx, asked);
  return { loaded, file: await openDocumentFile(ctx, document.id), page: signaturePageOf(document) };
}
