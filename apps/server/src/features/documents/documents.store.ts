import { DomainError, type DocumentNotice } from '@lavra/domain';
import { type Expression, type RawBuilder, sql } from 'kysely';
import type { RevisionKind, StoredPage } from '../../db/process-tables.ts';
import { FirstReading } from '../../access/first-reading.store.ts';
import type { Ctx } from '../../context.ts';
import { type Write, writeAtOnce } from '../../db/at-once.ts';
import { unforced } from '../../db/unforced.ts';
import { attemptWrite } from '../../access/limits.store.ts';
import type { StoredBlob } from '../../storage/blob-store.ts';
import { blobEntries, type BlobEntry, enteringBlobs, noteWrite } from '../../storage/blobs.store.ts';

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

/** With its first revision, and what belongs to it, in one statement. */
export async function insertDocument(ctx: Ctx, document: NewDocument, beside: readonly Write[] = []): Promise<void> {
  const { id: documentId, hash, size, createdAt } = document;
  const first = { documentId, seq: 0, kind: 'upload' as const, blobHash: hash, size, offset: 0, fileHash: hash, createdAt };
  const { blobs, writes } = revisionWrites([first]);
  const query = ctx.db.insertInto('document').values({
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
  });
  // Asked for in this order, blobs are entered before the contract is held, as in a transaction of several statements.
  const entered: Write = { as: 'entered', query: sql`${blobEntries(ctx, blobs)} returning hash`, isRead: true };
  await writeAtOnce(ctx.db, [entered, { as: 'received', query }, ...writes, ...beside]);
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
 * Appends revision rows, all or none, as parts of a statement, and the blobs that they refer to. The primary key (document, seq) refuses a
 * second builder on the same state: request.conflict.
 */
export function revisionWrites(revisions: readonly NewRevision[]): { blobs: BlobEntry[]; writes: Write[] } {
  if (revisions.length === 0) return { blobs: [], writes: [] };
  const blobs = revisions.map(({ blobHash, size, kind }) => ({ sha256: blobHash, size, kind }));
  const query = sql`
    insert into "document_revision" (document_id, seq, kind, signer_id, blob_hash, size, "offset", file_hash, created_at)
    select "documentId", seq, kind, "signerId", "blobHash", size, "offset", "fileHash", "createdAt"
    from jsonb_to_recordset(${JSON.stringify(revisions)}::jsonb) as r ("documentId" uuid, seq int, kind text, "signerId" uuid, "blobHash" text,
      size bigint, "offset" bigint, "fileHash" text, "createdAt" timestamptz)
    on conflict (document_id, seq) do nothing returning seq`;
  return { blobs, writes: [{ as: 'revised', query, rows: revisions.length, otherwise: () => new DomainError('request.conflict') }] };
}

/** Notes of these documents that no page was appended in the preparation: the signature page will be a file of its own. */
export function pageApartWrites(documentIds: readonly string[]): Write[] {
  if (documentIds.length === 0) return [];
  return [{ as: 'apart', query: sql`update document set page_apart = true where id = any(${documentIds}::uuid[])` }];
}

/** Notes the separate signature pages of documents, whose blobs are entered with them. */
export function signaturePageWrites(pages: readonly { documentId: string; sha256: string; size: number }[]): Write[] {
  if (pages.length === 0) return [];
  const query = sql`
    update document set signature_page_hash = p.sha256, signature_page_size = p.size
    from jsonb_to_recordset(${JSON.stringify(pages)}::jsonb) as p ("documentId" uuid, sha256 text, size bigint)
    where document.id = p."documentId"`;
  return [{ as: 'paged', query }];
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

/** A revision as it is kept. */
export interface StoredRevision {
  seq: number;
  kind: RevisionKind;
  signerId: string | null;
  blobHash: string;
  size: number;
  offset: number;
  fileHash: string | null;
}

/** A document with its revisions, in their order. */
export async function findDocument(ctx: Ctx, documentId: string) {
  return ctx.db
    .selectFrom('document')
    .select(['id', 'name', 'hash', 'opened_from as openedFrom', 'files_removed_at as filesRemovedAt'])
    .select((eb) => revisionsJson(eb.ref('document.id')).as('revisions'))
    .where('id', '=', documentId)
    .executeTakeFirst();
}

/** SQL for the revisions of a document (its id as SQL as well), in their order. */
export function revisionsJson(documentId: Expression<string>): RawBuilder<StoredRevision[]> {
  return sql<StoredRevision[]>`(
    select coalesce(json_agg(json_build_object('seq', seq, 'kind', kind, 'signerId', signer_id, 'blobHash', blob_hash, 'size', size,
      'offset', "offset", 'fileHash', file_hash) order by seq), '[]')
    from document_revision where document_revision.document_id = ${documentId})`;
}

/** A document as it was uploaded; undefined where there is none such. */
export async function findUploaded(ctx: Ctx, id: string): Promise<Omit<NewDocument, 'ownerId'> | undefined> {
  return ctx.db
    .selectFrom('document')
    .select(['id', 'name', 'hash', 'size', 'opened_from as openedFrom', 'page_count as pageCount', 'pages'])
    .select(['prior_signatures as priorSignatures', 'notices', 'created_at as createdAt'])
    .where('id', '=', id)
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
 * Counts an upload and takes room for it, or says why not, in one statement: uploads at the same time wait for each other here and cannot
 * pass a bound together. Not forced: the document that takes it is, and forces this before itself. `blob`: the bytes that are about to be placed
 * are noted with it (`noteStored`).
 */
export async function takeRoom(
  ctx: Ctx,
  ownerId: string,
  bytes: number,
  { daily, total }: UploadBounds,
  blob: StoredBlob | null = null,
): Promise<'taken' | 'tooMany' | 'full'> {
  const { write: attempt, isWithin } = attemptWrite(ctx, 'upload', ownerId);
  const day = ctx.clock.now().toISOString().slice(0, 10);
  const today = sql<number>`case when upload_usage.day = ${day}::date then upload_usage.day_bytes else 0 end`;
  const query = sql`
    insert into upload_usage (user_id, day, day_bytes, total_bytes)
    select ${ownerId}::uuid, ${day}::date, ${bytes}::bigint, ${bytes}::bigint
    where ${isWithin} and ${bytes}::bigint <= ${daily}::bigint and ${bytes}::bigint <= ${total}::bigint
    on conflict (user_id) do update
      set day = excluded.day, day_bytes = ${today} + excluded.day_bytes, total_bytes = upload_usage.total_bytes + excluded.total_bytes
      where ${today} + excluded.day_bytes <= ${daily}::bigint and upload_usage.total_bytes + excluded.total_bytes <= ${total}::bigint
    returning user_id${blob ? sql`` : sql`, ${unforced}`}`;
  const noted = blob ? [noteWrite(ctx, blob, sql<boolean>`exists (select from room)`)] : [];
  const { isCounted, isTaken } = await writeAtOnce<{ isCounted: boolean; isTaken: boolean }>(
    ctx.db,
    [attempt, { as: 'room', query, isRead: true }, ...noted],
    sql`${isWithin} as "isCounted", exists (select from room) as "isTaken"`,
  );
  return isTaken ? 'taken' : isCounted ? 'full' : 'tooMany';
}

/** How much an account may still upload today, and keep at all, and what else `read` says of it at that moment. */
export function roomReading<Read>(read: (userId: string, now: Date) => RawBuilder<Read>) {
  return new FirstReading((db, { userId, day, now }: UploadAsked) =>
    db
      .selectFrom(sql`(select 1)`.as('one'))
      .leftJoin('upload_usage', (join) => join.on('user_id', '=', userId))
      .select(['total_bytes as total', sql<number | null>`case when day = ${day}::date then day_bytes else 0 end`.as('today')])
      .select(read(userId, now).as('read')),
  );
}

export interface UploadAsked {
  userId: string;
  /** YYYY-MM-DD */
  day: string;
  now: Date;
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
