import { sql } from 'kysely';
import type { Clock, Ctx } from '../context.ts';
import type { BlobKind } from '../db/tables.ts';
import type { DatabaseClient } from '../db/client.ts';
import type { BlobFault, StoredBlob } from './blob-store.ts';

type Db = DatabaseClient['db'];

/** Nobody refers to it, and nobody is about to: whoever stores bytes does so within minutes of it. */
export const FORGOTTEN_AFTER_MS = 24 * 3_600_000;

/** Notes bytes that are about to be placed: they count as fresh from now on. Waits for a removal of the same bytes that is under way. */
export async function noteStored(db: Db, clock: Clock, blob: StoredBlob): Promise<void> {
  const now = clock.now();
  await db
    .insertInto('blob')
    .values({ hash: blob.sha256, size: blob.size, kind: null, first_seen: now, touched_at: now, checked_at: null })
    .onConflict((conflict) => conflict.column('hash').doUpdateSet({ touched_at: now, size: blob.size }))
    .execute();
}

/** Enters a blob into the inventory as what it is; call inside the transaction that refers to it. */
export async function enterBlob(tx: Ctx, blob: { sha256: string; size?: number }, kind: BlobKind): Promise<void> {
  const now = tx.clock.now();
  await tx.db
    .insertInto('blob')
    .values({ hash: blob.sha256, size: blob.size ?? null, kind, first_seen: now, touched_at: now, checked_at: null })
    .onConflict((conflict) =>
      conflict
        .column('hash')
        .doUpdateSet((eb) => ({ kind, size: eb.fn.coalesce('blob.size', 'excluded.size') }))
        .where('blob.kind', 'is', null),
    )
    .execute();
}

/** Writes a fault down; true when it is news. */
export async function noteFault(
  db: Db,
  clock: Clock,
  fault: { hash: string; fault: 'missing' | 'damaged' | 'wrongSize' },
): Promise<boolean> {
  const now = clock.now();
  const row = await db
    .insertInto('storage_fault')
    .values({ ...fault, first_seen: now, last_seen: now, told_at: null, healed_at: null })
    .onConflict((conflict) =>
      conflict.column('hash').doUpdateSet((eb) => ({
        fault: fault.fault,
        last_seen: now,
        first_seen: eb.case().when('storage_fault.healed_at', 'is', null).then(eb.ref('storage_fault.first_seen')).else(now).end(),
        told_at: eb.case().when('storage_fault.healed_at', 'is', null).then(eb.ref('storage_fault.told_at')).else(null).end(),
        healed_at: null,
      })),
    )
    .returning(sql<boolean>`first_seen = last_seen`.as('isNew'))
    .executeTakeFirstOrThrow();
  return row.isNew;
}

export const faultOf = ({ sha256, kind }: BlobFault) => ({ hash: sha256, fault: kind });

/** Processes under way that rest on a blob: their documents or a signer's picture. */
const processesOn = (hash: string) => sql<string>`(
  select d.signature_process_id from document_revision r join document d on d.id = r.document_id where r.blob_hash = ${hash}
  union select a.signature_process_id from signature_evidence e join signing_attempt a on a.id = e.attempt_id where e.image_hash = ${hash}
)`;

/** The owners of processes that rest on it see why those do not go on. */
export async function showFault(db: Db, hash: string): Promise<void> {
  await db
    .updateTable('signature_process')
    .set({ problem: 'storage.damaged', problem_params: null })
    .where('status', '=', 'IN_PROGRESS')
    .where('id', 'in', processesOn(hash))
    .execute();
}

/** A fault is over; processes that another one holds up will meet it again. */
export async function noteHealed(db: Db, clock: Clock, hash: string): Promise<void> {
  const healed = await db
    .updateTable('storage_fault')
    .set({ healed_at: clock.now() })
    .where('hash', '=', hash)
    .where('healed_at', 'is', null)
    .executeTakeFirst();
  if (Number(healed.numUpdatedRows) === 0) return;
  await db
    .updateTable('signature_process')
    .set({ problem: null, problem_params: null })
    .where('status', '=', 'IN_PROGRESS')
    .where('problem', '=', 'storage.damaged')
    .where('id', 'in', processesOn(hash))
    .execute();
}

/** Files that are known to be missing or damaged. */
export async function countStorageFaults(ctx: Pick<Ctx, 'db'>): Promise<number> {
  const row = await ctx.db
    .selectFrom('storage_fault')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('healed_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}
