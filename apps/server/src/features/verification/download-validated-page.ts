import { DomainError } from '@lavra/domain';
import type { Visitor } from '../../access/actor.ts';
import { recordDownload } from '../../audit/record-download.ts';
import type { Ctx } from '../../context.ts';
import { storedFile, type StreamedFile } from '../../storage/streamed-file.ts';
import { openVerified, type Ticketed } from './open-verified.ts';

/** @throws DomainError verification.notPermitted, verification.ticketExpired, document.notFinished where there is no page of its own, or not yet */
export async function downloadValidatedPage(ctx: Ctx, actor: Visitor, asked: Ticketed): Promise<StreamedFile> {
  const { file, page } = await openVerified(ctx, asked);
  if (!page) throw new DomainError('document.notFinished');
  await ctx.storage.check(page.hash);
  await recordDownload(ctx, actor, { what: 'page', subjectId: file.documentId, ticket: asked.ticket });
  return storedFile(ctx, page);
}
