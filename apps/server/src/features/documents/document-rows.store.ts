import { documents } from '@lavra/api';
import { sql } from 'kysely';
import type { Ctx } from '../../context.ts';
import type { EntityRoom, Row } from '../../entities/entity-room.ts';
import type { NewDocument } from './documents.store.ts';

interface DocumentRow {
  id: string;
  owner_id: string;
  signature_process_id: string | null;
  name: string;
  hash: string;
  size: number;
  page_count: number;
  created_at: Date;
}

/** Documents as generic entities: one's own uploads. */
export const documentRows = {
  entity: documents,
  table: 'document',
  source: sql<Row>`
    select id, owner_id, signature_process_id, name, hash, size, page_count, created_at, lower(f_unaccent(name)) as search,
      hashtext(concat_ws('|', name, coalesce(signature_process_id::text, '-'))) as version
    from document`,
  scope: ({ userId }) => sql<boolean>`owner_id = ${userId}`,
  sorts: { createdDate: { column: 'created_at' }, name: { column: 'name', text: true }, size: { column: 'size' } },
  fromRow(row) {
    const document = row as unknown as DocumentRow;
    return {
      name: document.name,
      hash: document.hash,
      createdDate: document.created_at.toISOString(),
      applicationUser: { id: document.owner_id },
      signatureProcess: document.signature_process_id === null ? null : { id: document.signature_process_id },
      size: Number(document.size),
      pageCount: document.page_count,
    };
  },
  refusals: { taken: { code: 'record.exists', field: 'id' }, missing: 'document.notFound', inUse: 'document.inUse' },
} satisfies EntityRoom<typeof documents>;

/** Keeps a document as it is for the rest of the transaction. Its size; null: a process has taken it, or it is gone. */
export async function holdUnassigned(tx: Ctx, id: string): Promise<{ ownerId: string; size: number } | null> {
  const row = await tx.db
    .selectFrom('document')
    .select(['owner_id as ownerId', 'size'])
    .where('id', '=', id)
    .where('signature_process_id', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  return row ? { ownerId: row.ownerId, size: Number(row.size) } : null;
}

export async function setName(tx: Ctx, id: string, name: string): Promise<void> {
  await tx.db.updateTable('document').set({ name }).where('id', '=', id).execute();
}

export async function deleteUnassigned(tx: Ctx, id: string): Promise<void> {
  await tx.db.deleteFrom('document_revision').where('document_id', '=', id).execute();
  await tx.db.deleteFrom('document').where('id', '=', id).where('signature_process_id', 'is', null).execute();
}

/** The newest upload of these bytes of the owner's, as it was inspected. */
export async function findUpload(tx: Ctx, ownerId: string, hash: string): Promise<Omit<NewDocument, 'id' | 'name' | 'createdAt'> | null> {
  const row = await tx.db
    .selectFrom('document')
    .select(['owner_id', 'hash', 'size', 'opened_from', 'page_count', 'pages', 'prior_signatures', 'notices'])
    .where('owner_id', '=', ownerId)
    .where('hash', '=', hash)
    .orderBy('created_at', 'desc')
    .limit(1)
    .forShare()
    .executeTakeFirst();
  if (!row) return null;
  return {
    ownerId,
    hash: row.hash,
    size: Number(row.size),
    openedFrom: row.opened_from,
    pageCount: row.page_count,
    pages: row.pages,
    priorSignatures: row.prior_signatures,
    notices: row.notices,
  };
}

/** Whose room a document takes, and how much of it. */
export function takenRoom(row: Row): { id: string; ownerId: string; size: number } {
  return { id: String(row['id']), ownerId: String(row['owner_id']), size: Number(row['size']) };
}
