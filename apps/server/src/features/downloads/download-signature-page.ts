import { DomainError } from '@lavra/domain';
import type { Person, SignerLink } from '../../access/actor.ts';
import { recordDownload } from '../../audit/record-download.ts';
import type { Ctx } from '../../context.ts';
import { storedFile, type StreamedFile } from '../../storage/streamed-file.ts';
import { signaturePageOf } from '../documents/signature-page.ts';
import { assertMaySee } from '../processes/reading/participation.ts';

/** The separate signature page of a document that came with signatures. @throws DomainError document.notFinished, document.notFound, document.removed */
export async function downloadSignaturePage(
  ctx: Ctx,
  actor: Person | SignerLink,
  { signatureProcessId, documentId }: { signatureProcessId: string; documentId: string },
): Promise<StreamedFile> {
  const { documents, filesRemovedAt } = await assertMaySee(ctx, actor, signatureProcessId);
  const document = documents.find(({ id }) => id === documentId);
  if (!document) throw new DomainError('document.notFound');
  if (filesRemovedAt !== null) throw new DomainError('document.removed');
  const page = signaturePageOf(document);
  // Documents that have their page in themselves get none.
  if (!page) throw new DomainError(document.pageApart ? 'document.notFinished' : 'document.notFound');
  await ctx.storage.check(page.hash);
  await recordDownload(ctx, actor, { what: 'page', subjectId: document.id });
  return storedFile(ctx, page);
}
