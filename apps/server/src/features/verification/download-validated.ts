import { DomainError, signedFileName } from '@lavra/domain';
import type { Visitor } from '../../access/actor.ts';
import { recordDownload } from '../../audit/record-download.ts';
import type { Ctx } from '../../context.ts';
import type { StreamedFile } from '../../storage/streamed-file.ts';
import { streamedDocument } from '../documents/document-file.ts';
import { openVerified, type Ticketed } from './open-verified.ts';

/** The signed file, for whoever verifies it. @throws DomainError verification.notPermitted, verification.ticketExpired, document.notFinished */
export async function downloadValidated(ctx: Ctx, actor: Visitor, asked: Ticketed): Promise<StreamedFile> {
  const { loaded, file } = await openVerified(ctx, asked);
  if (loaded.status !== 'FINALIZED_WITH_SUCCESS') throw new DomainError('document.notFinished');
  await recordDownload(ctx, actor, { what: 'verified', subjectId: file.documentId, ticket: asked.ticket });
  return streamedDocument(ctx, file, signedFileName(file.name));
}
