import type { Person, SignerLink } from '../../access/actor.ts';
import type { Ctx } from '../../context.ts';
import type { StreamedFile } from '../../storage/streamed-file.ts';
import { openDocumentFile, streamedDocument } from '../documents/document-file.ts';
import { assertMaySeeDocument } from './assert-may-see-document.ts';

/** The file as it stands, for whoever may read it: owner, participant by session, or signer by link. */
export async function viewDocument(ctx: Ctx, actor: Person | SignerLink, documentId: string): Promise<StreamedFile> {
  await assertMaySeeDocument(ctx, actor, documentId);
  const file = await openDocumentFile(ctx, documentId);
  return streamedDocument(ctx, file, file.name);
}
