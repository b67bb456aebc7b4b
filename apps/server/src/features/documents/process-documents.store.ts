import type { DocumentNotice } from '@lavra/domain';
import { type Expression, type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../../context.ts';
import { MovedOn, type Write } from '../../db/at-once.ts';
import { revisionsJson, type StoredRevision } from './documents.store.ts';

/** A document of a process, without the geometry of its pages. */
export interface ProcessDocument {
  id: string;
  name: string;
  /** SHA-256 of the uploaded bytes, hex. */
  hash: string;
  /** SHA-256 of the file with a password that it was opened from, or null. */
  openedFrom: string | null;
  size: number;
  pageCount: number;
  priorSignatures: number;
  notices: readonly DocumentNotice[];
  /** The preparation appended no signature page: signatures that were there forbid it. */
  pageApart: boolean;
  /** Its sealed signature page as a file of its own, once its process has finished. */
  signaturePage: { hash: string; size: number } | null;
  /** Its sealed copy to print, once somebody asked for it. */
  printableCopy: { hash: string; size: number } | null;
  /** What its file is made of, in order, where that was asked for. */
  revisions?: StoredRevision[];
  filesRemovedAt?: string | null;
  /** Whether most of its pages are wider than high, where that was asked for. */
  isLandscape?: boolean;
}

/** What else is read of documents: what their files are made of, and how their pages lie. */
export type Files = 'files' | 'pages';

/** Without the geometry of the pages: thousands of them, which visitors' calls would read for nothing. */
export async function listProcessDocuments(ctx: Ctx, signatureProcessId: string): Promise<ProcessDocument[]> {
  const { rows } = await sql<{ documents: ProcessDocument[] }>`select ${documentsOf(sql.val(signatureProcessId))} as documents`.execute(
    ctx.db,
  );
  return rows[0]?.documents ?? [];
}

/**
 * The same as SQL, for a statement that reads more of the process (its id, as SQL as well); `files`: with what its files are
 * made of; `pages`: and how most of their pages lie. */
export function documentsOf(signatureProcessId: Expression<string>, files?: Files): RawBuilder<ProcessDocument[]> {
  const made = sql`, 'filesRemovedAt', files_removed_at, 'revisions', ${revisionsJson(sql.ref('document.id'))}`;
  const lying = sql`, 'isLandscape', ${MOSTLY_LANDSCAPE}`;
  return sql<ProcessDocument[]>`(
    select coalesce(json_agg(json_build_object(
      'id', id, 'name', name, 'hash', hash, 'size', size, 'notices', notices, 'openedFrom', opened_from, 'pageCount', page_count,
      'priorSignatures', prior_signatures, 'pageApart', page_apart,
      'signaturePage', case when signature_page_size is not null then
        json_build_object('hash', signature_page_hash, 'size', signature_page_size) end,
      'printableCopy', case when printable_copy_size is not null then
        json_build_object('hash', printable_copy_hash, 'size', printable_copy_size) end${files ? made : sql``}${files === 'pages' ? lying : sql``}
    ) order by position), '[]')
    from document where document.signature_process_id = ${signatureProcessId})`;
}

/** What a process's documents are called, as SQL, for a statement that reads more of it. */
export function documentNamesOf(processId: RawBuilder<unknown>): RawBuilder<Pick<DocumentName, 'id' | 'name'>[]> {
  return sql<Pick<DocumentName, 'id' | 'name'>[]>`(
    select coalesce(json_agg(json_build_object('id', document.id, 'name', document.name) order by document.position), '[]')
    from document where document.signature_process_id = ${processId})`;
}

/** What a document of a process is called. */
export interface DocumentName {
  processId: string | null;
  id: string;
  name: string;
}

export async function listDocumentNames(ctx: Ctx, processIds: readonly string[]): Promise<DocumentName[]> {
  if (processIds.length === 0) return [];
  const rows = ctx.db.selectFrom('document').select(['signature_process_id as processId', 'id', 'name']);
  return rows.where('signature_process_id', 'in', processIds).orderBy('position').execute();
}

/** Where boxes may stand: the geometry of the documents' pages. */
export async function listDocumentPages(ctx: Ctx, signatureProcessId: string) {
  return ctx.db
    .selectFrom('document')
    .select(['id', 'name', 'pages'])
    .where('signature_process_id', '=', signatureProcessId)
    .orderBy('position')
    .execute();
}

/** Whether most pages of a document are wider than high, as they are shown. */
export async function isMostlyLandscape(ctx: Ctx, documentId: string): Promise<boolean> {
  const { rows } = await sql<{
    landscape: boolean;
  }>`select ${MOSTLY_LANDSCAPE} as landscape from document where id = ${documentId}`.execute(ctx.db);
  return rows[0]?.landscape ?? false;
}

const MOSTLY_LANDSCAPE = sql`(
  select count(*) filter (
    where ((page->'box'->>2)::float - (page->'box'->>0)::float > (page->'box'->>3)::float - (page->'box'->>1)::float)
      <> ((page->>'rotate')::int in (90, 270))
  ) * 2 > count(*)
  from jsonb_array_elements(document.pages) as page)`;

/** A document that a process is to take. */
export interface FoundDocument {
  id: string;
  ownerId: string;
  name: string;
  isTaken: boolean;
}

/** SQL for these documents. */
export function documentsById(ids: readonly string[]): RawBuilder<FoundDocument[]> {
  return sql<FoundDocument[]>`(
    select coalesce(json_agg(json_build_object('id', id, 'ownerId', owner_id, 'name', name, 'isTaken', signature_process_id is not null)), '[]')
    from document where id = any(${ids}::uuid[]))`;
}

/**
 * Takes the owner's unassigned documents into the process, in the given order, as a part of a statement: all of them as they were read, or it is not
 * written (`MovedOn`).
 */
export function takingWrites(signatureProcessId: string, ownerId: string, documents: readonly { id: string; name: string }[]): Write[] {
  const rows = documents.map(({ id, name }, position) => ({ id, name, position }));
  const query = sql`
    update document set signature_process_id = ${signatureProcessId}, position = t.position
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as t (id uuid, name text, position int)
    where document.id = t.id and document.name = t.name and document.owner_id = ${ownerId} and document.signature_process_id is null
    returning document.id`;
  return [{ as: 'taken', query, rows: documents.length, otherwise: () => new MovedOn() }];
}

/** The documents of a process that is removed belong to none again. */
export async function releaseDocuments(tx: Ctx, signatureProcessId: string): Promise<void> {
  await tx.db
    .updateTable('document')
    .set({ signature_process_id: null, position: null })
    .where('signature_process_id', '=', signatureProcessId)
    .execute();
}
