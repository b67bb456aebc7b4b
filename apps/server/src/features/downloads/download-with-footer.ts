import { DomainError, printableFileName } from '@lavra/domain';
import type { Person, SignerLink } from '../../access/actor.ts';
import { recordDownload } from '../../audit/record-download.ts';
import type { Ctx } from '../../context.ts';
import { storedFile, type StreamedFile } from '../../storage/streamed-file.ts';
import { documentAccess } from '../documents/document-access.ts';
import { assertMaySee } from '../processes/reading/participation.ts';
import { makePrintableCopy } from '../sealing/make-printable-copy.ts';
import { assertDownloadable } from './assert-downloadable.ts';
import { assertMaySeeDocument } from './assert-may-see-document.ts';

/**
 * The copy to print of a document whose process finished with success; made at the first request for it.
 * @throws DomainError document.notFound, document.notFinished, document.removed, document.notPrintable
 */
export async function downloadWithFooter(ctx: Ctx, actor: Person | SignerLink, documentId: string): Promise<StreamedFile> {
  await assertMaySeeDocument(ctx, actor, documentId);
  const { signatureProcessId } = await documentAccess(ctx, documentId);
  if (signatureProcessId === null) throw new DomainError('document.notFinished');
  const loaded = await assertMaySee(ctx, actor, signatureProcessId);
  // PostgreSQL takes a UUID in several spellings.
  const document = loaded.documents.find(({ id }) => id === documentId.toLowerCase());
  if (!document) throw new DomainError('document.notFound');
  assertDownloadable(loaded);
  const copy = document.printableCopy ?? (await makePrintableCopy(ctx, loaded, document));
  await ctx.storage.check(copy.hash);
  await recordDownload(ctx, actor, { what: 'copy', subjectId: document.id });
  return storedFile(ctx, { name: printableFileName(document.name), ...copy });
}
