import { DomainError, isDocumentIdentifier, normalizeEmail } from '@lavra/domain';
import type { Ctx } from '../../context.ts';
import type { Visitor } from '../../access/actor.ts';
import { limitRate } from '../../access/limits.store.ts';
import { issueTicket } from './ticket.ts';
import { findDocumentProcess } from '../documents/document-access.ts';
import { hasSigner } from '../processes/load-process.ts';

/**
 * Identifier and a signer's e-mail open the verification. The e-mail is a weak secret: attempts are counted,
 * and an unknown document answers like a wrong e-mail.
 */
export async function loginValidation(
  ctx: Ctx,
  { from }: Visitor,
  input: { documentId: string; emailSigner: string },
): Promise<{ reason: string; ticket: string | null }> {
  const documentId = input.documentId.trim().toLowerCase();
  if (!isDocumentIdentifier(documentId)) throw new DomainError('verification.identifierInvalid', { field: 'documentId' });
  await limitRate(ctx, 'verify-document', documentId);
  // Both are asked for, be there such a document or not: the time tells nothing.
  const signatureProcessId = await findDocumentProcess(ctx, documentId);
  const isSigner = await hasSigner(ctx, signatureProcessId ?? documentId, normalizeEmail(input.emailSigner));
  if (signatureProcessId === undefined || !isSigner)
    return { reason: ctx.translate(from.langKey, 'verification.notPermitted'), ticket: null };
  return { reason: 'Permitido', ticket: issueTicket(ctx, documentId) };
}
