import type { Person, SignerLink } from '../../access/actor.ts';
import { recordDownload } from '../../audit/record-download.ts';
import type { Ctx } from '../../context.ts';
import type { StreamedFile } from '../../storage/streamed-file.ts';
import { openDocumentFile, streamedDocument } from '../documents/document-file.ts';
import { assertMaySeeDocument } from './assert-may-see-document.ts';

/** The uploaded original. */
export async function downloadOriginal(ctx: Ctx, actor: Person | SignerLink, documentId: string): Promise<StreamedFile> {
  await assertMaySeeDocument(ctx, actor, documentId);
  const file = await openDocumentFile(ctx, documentId, 'original');
  await recordDownload(ctx, actor, { what: 'original', subjectId: file.documentId });
  return streamedDocument(ctx, file, file.name);
}
