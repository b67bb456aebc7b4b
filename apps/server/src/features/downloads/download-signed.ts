import { DomainError, signedFileName } from '@lavra/domain';
import type { Person, SignerLink } from '../../access/actor.ts';
import { recordDownload } from '../../audit/record-download.ts';
import type { Ctx } from '../../context.ts';
import type { StreamedFile } from '../../storage/streamed-file.ts';
import { openDocumentFile, streamedDocument } from '../documents/document-file.ts';
import { assertMaySee } from '../processes/reading/participation.ts';
import { assertDownloadable } from './assert-downloadable.ts';

/** The signed file of a process that finished with success. @throws DomainError document.notFinished, document.notFound, document.removed */
export async function downloadSigned(
  ctx: Ctx,
  actor: Person | SignerLink,
  { signatureProcessId, documentId }: { signatureProcessId: string; documentId: string },
): Promise<StreamedFile> {
  const loaded = await assertMaySee(ctx, actor, signatureProcessId);
  if (!loaded.documents.some((document) => document.id === documentId)) throw new DomainError('document.notFound');
  assertDownloadable(loaded);
  const file = await openDocumentFile(ctx, documentId);
  await recordDownload(ctx, actor, { what: 'signed', subjectId: file.documentId });
  return streamedDocument(ctx, file, signedFileName(file.name));
}
