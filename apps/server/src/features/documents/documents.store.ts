import { DomainError } from '@lavra/domain';
import type { RevisionKind, StoredPage } from '../../db/process-tables.ts';
import type { Ctx } from '../../context.ts';

export interface NewDocument {
  id: string;
  ownerId: string;
  name: string;
  hash: string;
  size: number;
  pageCount: number;
  pages: StoredPage[];
  priorSignatures: number;
  createdAt: Date;
}

export async function insertDocument(ctx: Ctx, document: NewDocument): Promise<void> {
  await ctx.db
    .insertInto('document')
    .values({
      id: document.id,
      owner_id: document.ownerId,
      signature_process_id: null,
      position: null,
      name: document.name,
      hash: document.hash,
      size: document.size,
      page_count: document.pageCount,
      pages: JSON.stringify(document.pages),
      prior_signatures: document.priorSignatures,
      created_at: document.createdAt,
    })
    .execute();
}

export interface NewRevision {
  documentId: string;
  seq: number;
  kind: RevisionKind;
  signerId?: string | undefined;
  blobHash: string;
  size: number;
  offset: number;
  fileHash: string | null;
  createdAt: Date;
}

/** Appends a revision row. The primary key (document, seq) refuses a second builder on the same state: request.conflict. */
export async function insertRevision(ctx: Ctx, revision: NewRevision): Promise<void> {
  const written = await ctx.db
    .insertInto('document_revision')
    .values({
      document_id: revision.documentId,
      seq: revision.seq,
      kind: revision.kind,
      signer_id: revision.signerId ?? null,
      blob_hash: revision.blobHash,
      size: revision.size,
      offset: revision.offset,
      file_hash: revision.fileHash,
      created_at: revision.createdAt,
    })
    .onConflict((conflict) => conflict.columns(['document_id', 'seq']).doNothing())
    .executeTakeFirst();
  if (Number(written.numInsertedOrUpdatedRows ?? 0) !== 1) throw new DomainError('request.conflict');
}

export async function findDocument(ctx: Ctx, documentId: string) {
  return ctx.db.selectFrom('document').selectAll().where('id', '=', documentId).executeTakeFirst();
}

export async function listRevisions(ctx: Ctx, documentId: string) {
  return ctx.db.selectFrom('document_revision').selectAll().where('document_id', '=', documentId).orderBy('seq').execute();
}

/** The access facts of a document: whose it is and to which process it belongs. */
export async function findDocumentAccess(ctx: Ctx, documentId: string) {
  return ctx.db
    .selectFrom('document')
    .leftJoin('signature_process', 'signature_process.id', 'document.signature_process_id')
    .select(['document.id', 'document.owner_id', 'document.signature_process_id', 'document.name', 'signature_process.status'])
    .where('document.id', '=', documentId)
    .executeTakeFirst();
}

/** Documents nobody used: uploaded before `before`, never taken by a process. */
export async function deleteAbandonedDocuments(ctx: Ctx, before: Date): Promise<number> {
  const stale = ctx.db.selectFrom('document').select('id').where('signature_process_id', 'is', null).where('created_at', '<', before);
  await ctx.db.deleteFrom('document_revision').where('document_id', 'in', stale).execute();
  const removed = await ctx.db
    .deleteFrom('document')
    .where('signature_process_id', 'is', null)
    .where('created_at', '<', before)
    .executeTakeFirst();
  return Number(removed.numDeletedRows);
}
