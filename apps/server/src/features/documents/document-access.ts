import { DomainError } from '@lavra/domain';
import type { Ctx } from '../../context.ts';
import { findDocumentAccess } from './documents.store.ts';

/** Who uploaded a document, and the process that took it. @throws DomainError document.notFound */
export async function documentAccess(ctx: Ctx, documentId: string): Promise<{ ownerId: string; signatureProcessId: string | null }> {
  const access = await findDocumentAccess(ctx, documentId);
  if (!access) throw new DomainError('document.notFound');
  return access;
}

/** The process that took a document; undefined: none, or no such document. */
export async function findDocumentProcess(ctx: Ctx, documentId: string): Promise<string | undefined> {
  return (await findDocumentAccess(ctx, documentId))?.signatureProcessId ?? undefined;
}
