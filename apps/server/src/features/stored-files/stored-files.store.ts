import { sql } from 'kysely';
import type { Ctx } from '../../context.ts';
import type { BlobKind } from '../../db/storage-tables.ts';
import { FORGOTTEN_AFTER_MS } from '../../storage/blobs.store.ts';

/** What the books need: the command that audits has no more. */
export type Books = Pick<Ctx, 'db' | 'clock'>;

export interface InventoryRow {
  hash: string;
  size: number | null;
  kind: BlobKind | null;
}

/** Files in the order of their last check, those that never were first. */
export function listLongestUnchecked(ctx: Books, limit: number): Promise<InventoryRow[]> {
  return ctx.db
    .selectFrom('blob')
    .select(['hash', 'size', 'kind'])
    .orderBy('checked_at', sql`asc nulls first`)
    .limit(limit)
    .execute();
}

/** A page of the inventory, by hash. */
export function listInventory(ctx: Books, after: string, limit: number): Promise<InventoryRow[]> {
  return ctx.db.selectFrom('blob').select(['hash', 'size', 'kind']).where('hash', '>', after).orderBy('hash').limit(limit).execute();
}

export async function findInventoryRow(ctx: Books, hash: string): Promise<InventoryRow | undefined> {
  return ctx.db.selectFrom('blob').select(['hash', 'size', 'kind']).where('hash', '=', hash).executeTakeFirst();
}

/** Notes a check; a size that no row told is known now. */
export async function markChecked(ctx: Books, hash: string, size: number | null): Promise<void> {
  await ctx.db
    .updateTable('blob')
    .set({ checked_at: ctx.clock.now(), size: sql`coalesce(size, ${size}::bigint)` })
    .where('hash', '=', hash)
    .execute();
}

export interface OpenFault {
  hash: string;
  fault: 'missing' | 'damaged' | 'wrongSize';
}

export function listOpenFaults(ctx: Books, limit: number): Promise<OpenFault[]> {
  return ctx.db
    .selectFrom('storage_fault')
    .select(['hash', 'fault'])
    .where('healed_at', 'is', null)
    .orderBy('last_seen')
    .limit(limit)
    .execute();
}

/** Files that are missing or changed, the newest first. */
export function listFaultsSince(ctx: Books, limit: number): Promise<(OpenFault & { firstSeen: Date })[]> {
  return ctx.db
    .selectFrom('storage_fault')
    .select(['hash', 'fault', 'first_seen as firstSeen'])
    .where('healed_at', 'is', null)
    .orderBy('first_seen', 'desc')
    .limit(limit)
    .execute();
}

export async function summarizeInventory(ctx: Books) {
  const { files, bytes, unchecked, oldestCheck } = await ctx.db
    .selectFrom('blob')
    .select((eb) => [
      eb.fn.countAll<number>().as('files'),
      sql<number>`coalesce(sum(size), 0)::bigint`.as('bytes'),
      sql<number>`count(*) filter (where checked_at is null)`.as('unchecked'),
      eb.fn.min('checked_at').as('oldestCheck'),
    ])
    .executeTakeFirstOrThrow();
  return { files: Number(files), bytes: Number(bytes), unchecked: Number(unchecked), oldestCheck };
}

/** Faults that the administrators do not know of, noted as told; call inside the transaction that queues their mails. */
export function takeUntoldFaults(tx: Ctx): Promise<OpenFault[]> {
  return tx.db
    .updateTable('storage_fault')
    .set({ told_at: tx.clock.now() })
    .where('told_at', 'is', null)
    .where('healed_at', 'is', null)
    .returning(['hash', 'fault'])
    .execute();
}

export function listAdministrators(ctx: Ctx) {
  return ctx.db
    .selectFrom('app_user')
    .select(['email', 'first_name as firstName', 'lang_key as langKey'])
    .where('activated', '=', true)
    .where(sql<boolean>`'ROLE_ADMIN' = any (authorities)`)
    .execute();
}

/** Enters files of the storage that no row knows: from now on they have a day, as if they had just been stored. */
export async function adoptUnknown(ctx: Books, files: readonly { sha256: string; size: number }[]): Promise<void> {
  if (files.length === 0) return;
  const now = ctx.clock.now();
  await ctx.db
    .insertInto('blob')
    .values(files.map(({ sha256, size }) => ({ hash: sha256, size, kind: null, first_seen: now, touched_at: now, checked_at: null })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** SQL for "somebody refers to this blob": every column that holds one. */
const isReferredTo = (hash: ReturnType<typeof sql.ref> | string) => sql<boolean>`(
  exists (select 1 from document_revision where blob_hash = ${hash})
  or exists (select 1 from signature_process where evidence_report_hash = ${hash})
  or exists (select 1 from document where signature_page_hash = ${hash})
  or exists (select 1 from document where printable_copy_hash = ${hash})
  or exists (select 1 from signature_evidence where image_hash = ${hash})
)`;

export async function listForgotten(ctx: Ctx, limit: number): Promise<string[]> {
  const rows = await ctx.db
    .selectFrom('blob')
    .select('hash')
    .where('touched_at', '<', new Date(ctx.clock.now().getTime() - FORGOTTEN_AFTER_MS))
    .where(sql<boolean>`not ${isReferredTo(sql.ref('blob.hash'))}`)
    .orderBy('touched_at')
    .limit(limit)
    .execute();
  return rows.map(({ hash }) => hash);
}

/**
 * Takes a forgotten blob out of the inventory, and runs `remove` while its row is held: whoever is about to store the same
 * bytes waits for the end of it. False when somebody refers to it, stored it again, or holds it now. The references are looked
 * up after the lock: a row of before it may tell what was true before a referrer committed.
 * The one transaction that reaches the storage (not `ctx.transaction`, which shuts it out): its lock is what keeps a file from
 * being removed under who stores it anew, nobody else waits for it, and the storage's deadlines bound it.
 */
export function whileForgotten(ctx: Ctx, hash: string, remove: () => Promise<void>): Promise<boolean> {
  return ctx.db.transaction().execute(async (tx) => {
    const locked = await tx
      .selectFrom('blob')
      .select('hash')
      .where('hash', '=', hash)
      .where('touched_at', '<', new Date(ctx.clock.now().getTime() - FORGOTTEN_AFTER_MS))
      .forUpdate()
      .skipLocked()
      .executeTakeFirst();
    if (!locked) return false;
    const removed = await tx
      .deleteFrom('blob')
      .where('hash', '=', hash)
      .where(sql<boolean>`not ${isReferredTo(hash)}`)
      .executeTakeFirst();
    if (Number(removed.numDeletedRows) !== 1) return false;
    await remove();
    return true;
  });
}
