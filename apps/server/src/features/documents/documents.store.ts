import { DomainError, type DocumentNotice } from '@lavra/domain';
import { sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { RevisionKind, StoredPage } from '../../db/process-tables.ts';
import type { Ctx } from '../../context.ts';
import { unforced } from '../../db/unforced.ts';
import { enteringBlobs } from '../../storage/blobs.store.ts';

export interface NewDocument {
  id: string;
  ownerId: string;
  name: string;
  hash: string;
  size: number;
  openedFrom: string | null;
  pageCount: number;
  pages: StoredPage[];
  priorSignatures: number;
  notices: readonly DocumentNotice[];
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
      opened_from: document.openedFrom,
      page_count: document.pageCount,
      pages: JSON.stringify(document.pages),
      prior_signatures: document.priorSignatures,
      notices: JSON.stringify(document.notices),
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

/**
 * Appends revision rows, all or none, and enters their blobs. The primary key (document, seq) refuses a second builder on the same
 * state: request.conflict.
 */
export async function insertRevisions(ctx: Ctx, revisions: readonly NewRevision[]): Promise<void> {
  if (revisions.length === 0) return;
  const entries = revisions.map(({ blobHash, size, kind }) => ({ sha256: blobHash, size, kind }));
  const written = await enteringBlobs(ctx, entries)
    .insertInto('document_revision')
    .values(
      revisions.map((revision) => ({
        document_id: revision.documentId,
        seq: revision.seq,
        kind: revision.kind,
        signer_id: revision.signerId ?? null,
        blob_hash: revision.blobHash,
        size: revision.size,
        offset: revision.offset,
        file_hash: revision.fileHash,
        created_at: revision.createdAt,
      })),
    )
    .onConflict((conflict) => conflict.columns(['document_id', 'seq']).doNothing())
    .executeTakeFirst();
  if (Number(written.numInsertedOrUpdatedRows ?? 0) !== revisions.length) throw new DomainError('request.conflict');
}

/** Notes that no page was appended in the preparation: the signature page will be a file of its own. */
export async function setPageApart(tx: Ctx, documentId: string): Promise<void> {
  await tx.db.updateTable('document').set({ page_apart: true }).where('id', '=', documentId).execute();
}

/** Notes the separate signature page of a document; call inside the transaction that ends its process. */
export async function setSignaturePage(tx: Ctx, documentId: string, page: { hash: string; size: number }): Promise<void> {
  await enteringBlobs(tx, [{ sha256: page.hash, size: page.size, kind: 'page' }])
    .updateTable('document')
    .set({ signature_page_hash: page.hash, signature_page_size: page.size })
    .where('id', '=', documentId)
    .execute();
}

/** Notes the copy to print of a document; the first one stays. Call inside a transaction. */
export async function setPrintableCopy(tx: Ctx, documentId: string, copy: { hash: string; size: number }): Promise<void> {
  await enteringBlobs(tx, [{ sha256: copy.hash, size: copy.size, kind: 'copy' }])
    .updateTable('document')
    .set({ printable_copy_hash: copy.hash, printable_copy_size: copy.size })
    .where('id', '=', documentId)
    .where('printable_copy_hash', 'is', null)
    .where('files_removed_at', 'is', null)
    .execute();
}

/** A document with its revisions, in their order. */
export async function findDocument(ctx: Ctx, documentId: string) {
  return ctx.db
    .selectFrom('document')
    .select(['id', 'name', 'hash', 'opened_from as openedFrom', 'files_removed_at as filesRemovedAt'])
    .select((eb) =>
      jsonArrayFrom(
        eb
          .selectFrom('document_revision')
          .select(['seq', 'kind', 'signer_id as signerId', 'blob_hash as blobHash', 'size', 'offset', 'file_hash as fileHash'])
          .whereRef('document_revision.document_id', '=', 'document.id')
          .orderBy('seq'),
      ).as('revisions'),
    )
    .where('id', '=', documentId)
    .executeTakeFirst();
}

/** The access facts of a document: whose it is and to which process it belongs. */
export async function findDocumentAccess(ctx: Ctx, documentId: string) {
  return ctx.db
    .selectFrom('document')
    .select(['owner_id as ownerId', 'signature_process_id as signatureProcessId'])
    .where('id', '=', documentId)
    .executeTakeFirst();
}

/** Documents nobody used: uploaded before `before`, never taken by a process. What they took of their owner's room is free again. */
export async function deleteAbandonedDocuments(tx: Ctx, before: Date): Promise<number> {
  const stale = await tx.db
    .selectFrom('document')
    .select(['id', 'owner_id', 'size'])
    .where('signature_process_id', 'is', null)
    .where('created_at', '<', before)
    .orderBy('owner_id')
    .limit(1000)
    .forUpdate()
    .skipLocked()
    .execute();
  if (stale.length === 0) return 0;
  const ids = stale.map(({ id }) => id);
  await tx.db.deleteFrom('document_revision').where('document_id', 'in', ids).execute();
  await tx.db.deleteFrom('document').where('id', 'in', ids).execute();
  const freed = Map.groupBy(stale, ({ owner_id }) => owner_id);
  for (const [ownerId, documents] of freed)
    await releaseRoom(
      tx,
      ownerId,
      documents.reduce((sum, { size }) => sum + Number(size), 0),
    );
  return ids.length;
}

export interface UploadBounds {
  daily: number;
  total: number;
}

/**
 * Takes room for an upload, or says no, in one statement: uploads at the same time wait for each other here and cannot
 * pass a bound together. Not forced: the document that takes it is, and forces this before itself.
 */
export async function takeRoom(ctx: Ctx, ownerId: string, bytes: number, { daily, total }: UploadBounds): Promise<boolean> {
  if (bytes > daily || bytes > total) return false;
  const day = ctx.clock.now().toISOString().slice(0, 10);
  const today = sql<number>`case when upload_usage.day = ${day}::date then upload_usage.day_bytes else 0 end`;
  const row = await ctx.db
    .insertInto('upload_usage')
    .values({ user_id: ownerId, day, day_bytes: bytes, total_bytes: bytes })
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet({ day, day_bytes: sql`${today} + ${bytes}::bigint`, total_bytes: sql`upload_usage.total_bytes + ${bytes}::bigint` })
        .where(
          sql<boolean>`${today} + ${bytes}::bigint <= ${daily}::bigint and upload_usage.total_bytes + ${bytes}::bigint <= ${total}::bigint`,
        ),
    )
    .returning(['user_id', unforced.as('unforced')])
    .executeTakeFirst();
  return row !== undefined;
}

/** How much an account may still upload today, and keep at all. */
export async function findRoom(ctx: Ctx, ownerId: string, { daily, total }: UploadBounds): Promise<UploadBounds> {
  const day = ctx.clock.now().toISOString().slice(0, 10);
  const row = await ctx.db
    .selectFrom('upload_usage')
    .select(['total_bytes', sql<number>`case when day = ${day}::date then day_bytes else 0 end`.as('today')])
    .where('user_id', '=', ownerId)
    .executeTakeFirst();
  return { daily: daily - (row?.today ?? 0), total: total - (row?.total_bytes ?? 0) };
}

/** Gives back the room of what is not kept; the day's share is spent. */
export async function releaseRoom(ctx: Ctx, ownerId: string, bytes: number): Promise<void> {
  await ctx.db
    .updateTable('upload_usage')
    .set({ total_bytes: sql`greatest(total_bytes - ${bytes}::bigint, 0)` })
    .where('user_id', '=', ownerId)
    .execute();
}

/** What each account keeps, counted anew, with the pieces of files on their way: uploads that died between taking room and keeping a document gave nothing back. */
export async function recountRoom(ctx: Ctx): Promise<void> {
  await sql`
    update upload_usage set total_bytes = kept.bytes
    from (select u.user_id, (coalesce((select sum(d.size) from document d where d.owner_id = u.user_id and d.files_removed_at is null), 0)
      + coalesce((select sum(p.size) from upload_part p where p.owner_id = u.user_id), 0))::bigint as bytes from upload_usage u) as kept
    where kept.user_id = upload_usage.user_id and kept.bytes < upload_usage.total_bytes and upload_usage.day < current_date`.execute(
    ctx.db,
  );
}
