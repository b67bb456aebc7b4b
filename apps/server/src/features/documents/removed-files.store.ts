import { sql } from 'kysely';
import type { Ctx } from '../../context.ts';
import { releaseRoom } from './documents.store.ts';

/** A document whose files are kept no longer: what they were. */
export interface RemovedDocument {
  id: string;
  name: string;
  /** SHA-256 of the uploaded bytes, hex. */
  originalHash: string;
  /** SHA-256 of the newest state, hex; null: it was never computed. */
  fileHash: string | null;
  files: number;
  bytes: number;
}

/**
 * Nobody refers to the files of a process any more: its documents' parts, signature pages and copies to print. What they were stays in
 * `removed_file`, and their bytes leave the storage when it is swept, unless somebody else needs the same bytes. Once: whoever
 * comes second removes nothing.
 */
export async function removeFilesOf(tx: Ctx, signatureProcessId: string): Promise<RemovedDocument[]> {
  const now = tx.clock.now();
  const { rows } = await sql<RemovedDocument & { ownerId: string; room: number }>`
    with gone as (
      select id, owner_id, name, hash, size, position, signature_page_hash, signature_page_size, printable_copy_hash, printable_copy_size
      from document where signature_process_id = ${signatureProcessId} and files_removed_at is null for update
    ), parts as (
      delete from document_revision where document_id in (select id from gone)
      returning document_id, seq, kind, blob_hash, size, file_hash
    ), entered as (
      insert into removed_file (document_id, seq, kind, blob_hash, size, file_hash, removed_at)
      select document_id, seq, kind, blob_hash, size, file_hash, ${now}::timestamptz from parts
      union all select id, 0, 'page', signature_page_hash, signature_page_size, signature_page_hash, ${now} from gone where signature_page_hash is not null
      union all select id, 0, 'copy', printable_copy_hash, printable_copy_size, printable_copy_hash, ${now} from gone where printable_copy_hash is not null
      returning document_id, seq, kind, size, file_hash
    ), marked as (
      update document set files_removed_at = ${now}, signature_page_hash = null, signature_page_size = null,
        printable_copy_hash = null, printable_copy_size = null
      where id in (select id from gone)
    )
    select gone.id, gone.name, gone.hash as "originalHash", gone.owner_id as "ownerId", gone.size as room,
      (select file_hash from entered e where e.document_id = gone.id and e.kind not in ('page', 'copy') order by seq desc limit 1) as "fileHash",
      (select count(*) from entered e where e.document_id = gone.id) as files,
      (select coalesce(sum(size), 0)::bigint from entered e where e.document_id = gone.id) as bytes
    from gone order by gone.position`.execute(tx.db);
  for (const [ownerId, documents] of Map.groupBy(rows, (row) => row.ownerId))
    await releaseRoom(
      tx,
      ownerId,
      documents.reduce((sum, { room }) => sum + Number(room), 0),
    );
  return rows.map(({ id, name, originalHash, fileHash, files, bytes }) => ({
    id,
    name,
    originalHash,
    fileHash,
    files: Number(files),
    bytes: Number(bytes),
  }));
}

/** What a document was whose files are kept no longer: the hash of its newest state, and its signature page where that was a file of its own. */
export async function findRemoved(
  ctx: Ctx,
  documentId: string,
): Promise<{ fileHash: string | null; page: { hash: string; size: number } | null }> {
  const rows = await ctx.db
    .selectFrom('removed_file')
    .select(['kind', 'blob_hash as hash', 'size', 'file_hash as fileHash'])
    .where('document_id', '=', documentId)
    .where('kind', '!=', 'copy')
    .orderBy('seq', 'desc')
    .execute();
  const page = rows.find(({ kind }) => kind === 'page');
  const newest = rows.find(({ kind }) => kind !== 'page');
  return { fileHash: newest?.fileHash ?? null, page: page ? { hash: page.hash, size: Number(page.size) } : null };
}
