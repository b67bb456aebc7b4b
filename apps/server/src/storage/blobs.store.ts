import { type QueryCreator, type RawBuilder, sql } from 'kysely';
import type { Clock, Ctx } from '../context.ts';
import type { Write } from '../db/at-once.ts';
import { keptStatement } from '../db/kept-statement.ts';
import type { BlobKind } from '../db/storage-tables.ts';
import type { Database } from '../db/tables.ts';
import type { DatabaseClient } from '../db/client.ts';
import { unforced } from '../db/unforced.ts';
import type { StoredBlob } from './blob-store.ts';

type Db = DatabaseClient['db'];

/** Nobody refers to it, and nobody is about to: whoever stores bytes does so within minutes of it. */
export const FORGOTTEN_AFTER_MS = 24 * 3_600_000;

const note = keptStatement((db, { hash, size, now }: { hash: string; size: number; now: Date }) =>
  db
    .insertInto('blob')
    .values({ hash, size, kind: null, first_seen: now, touched_at: now, checked_at: null })
    .onConflict((conflict) => conflict.column('hash').doUpdateSet({ touched_at: now, size }))
    .returning(sql`case when xmax = 0 then ${unforced} end`.as('unforced')),
);

/**
 * Notes bytes that are about to be placed: they count as fresh from now on. Waits for a removal of the same bytes that is under way.
 * A new row is not forced: who refers to the bytes enters them once more. One that was there is: it may be old enough to be removed.
 */
export async function noteStored(db: Db, clock: Clock, blob: StoredBlob): Promise<void> {
  await note(db, { hash: blob.sha256, size: blob.size, now: clock.now() });
}

/**
 * The same as a part of a statement, named `noted`, where that holds; it answers a row where it is noted. What else that statement writes is forced
 * with it or not, too.
 */
export function noteWrite(ctx: Ctx, { sha256, size }: StoredBlob, where: RawBuilder<boolean>): Write {
  const now = ctx.clock.now();
  const query = sql`
    insert into blob (hash, size, first_seen, touched_at)
    select ${sha256}, ${size}::bigint, ${now}::timestamptz, ${now}::timestamptz where ${where}
    on conflict (hash) do update set touched_at = excluded.touched_at, size = excluded.size
    returning case when xmax = 0 then ${unforced} end`;
  return { as: 'noted', query, isRead: true };
}

/** A blob as somebody refers to it. */
export interface BlobEntry {
  sha256: string;
  size?: number;
  kind: BlobKind;
}

/**
 * Enters blobs into the inventory as what they are, on the way of the statement that refers to them: `enteringBlobs(tx, blobs).insertInto(…)`.
 * None: the statement alone.
 */
export function enteringBlobs(tx: Ctx, blobs: readonly BlobEntry[]): QueryCreator<Database> {
  return blobs.length === 0 ? tx.db : tx.db.with('entered', () => sql<{ hash: string }>`(${blobEntries(tx, blobs)})`);
}

/** The same as a part of a statement (db/at-once.ts). */
export function blobWrites(ctx: Ctx, blobs: readonly BlobEntry[]): Write[] {
  return blobs.length === 0 ? [] : [{ as: 'entered', query: blobEntries(ctx, blobs) }];
}

/** The same as a query of its own. */
export function blobEntries(tx: Ctx, blobs: readonly BlobEntry[]): RawBuilder<unknown> {
  const now = tx.clock.now();
  const once = new Map(blobs.map((blob) => [blob.sha256, blob]));
  return sql`
    insert into blob (hash, size, kind, first_seen, touched_at)
    select sha256, size, kind, ${now}::timestamptz, ${now}::timestamptz
      from jsonb_to_recordset(${JSON.stringify([...once.values()])}::jsonb) as b (sha256 text, size bigint, kind text)
    on conflict (hash) do update set kind = excluded.kind, size = coalesce(blob.size, excluded.size) where blob.kind is null`;
}

export interface FoundFault {
  hash: string;
  fault: 'missing' | 'damaged' | 'wrongSize';
}

/** Writes a fault down, and shows the owners of processes that rest on it why those do not go on; true when it is news. */
export function noteFault(db: Db, clock: Clock, found: FoundFault): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const isNew = await enterFault(tx, clock.now(), found);
    await tx
      .updateTable('signature_process')
      .set({ problem: 'storage.damaged', problem_params: null })
      .where('status', '=', 'IN_PROGRESS')
      .where('id', 'in', processesOn(found.hash))
      .execute();
    return isNew;
  });
}

/** One that comes again after it was healed begins anew. */
async function enterFault(tx: Db, now: Date, { hash, fault }: FoundFault): Promise<boolean> {
  const row = await tx
    .insertInto('storage_fault')
    .values({ hash, fault, first_seen: now, last_seen: now, told_at: null, healed_at: null })
    .onConflict((conflict) =>
      conflict.column('hash').doUpdateSet((eb) => {
        const isOpen = eb.case().when('storage_fault.healed_at', 'is', null);
        return {
          fault,
          last_seen: now,
          first_seen: isOpen.then(eb.ref('storage_fault.first_seen')).else(now).end(),
          told_at: isOpen.then(eb.ref('storage_fault.told_at')).else(null).end(),
          healed_at: null,
        };
      }),
    )
    .returning(sql<boolean>`first_seen = last_seen`.as('isNew'))
    .executeTakeFirstOrThrow();
  return row.isNew;
}

/** A fault is over; processes that another one holds up will meet it again. */
export function noteHealed(db: Db, clock: Clock, hash: string): Promise<void> {
  return db.transaction().execute(async (tx) => {
    const healed = await tx
      .updateTable('storage_fault')
      .set({ healed_at: clock.now() })
      .where('hash', '=', hash)
      .where('healed_at', 'is', null)
      .executeTakeFirst();
    if (Number(healed.numUpdatedRows) === 0) return;
    await tx
      .updateTable('signature_process')
      .set({ problem: null, problem_params: null })
      .where('status', '=', 'IN_PROGRESS')
      .where('problem', '=', 'storage.damaged')
      .where('id', 'in', processesOn(hash))
      .execute();
  });
}

/** Processes that rest on a blob: their documents or a signer's picture. */
const processesOn = (hash: string) => sql<string>`(
  select d.signature_process_id from document_revision r join document d on d.id = r.document_id where r.blob_hash = ${hash}
  union select a.signature_process_id from signature_evidence e join signing_attempt a on a.id = e.attempt_id where e.image_hash = ${hash}
)`;

/** Files that are known to be missing or damaged. */
export async function countStorageFaults(ctx: Pick<Ctx, 'db'>): Promise<number> {
  const row = await ctx.db
    .selectFrom('storage_fault')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('healed_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}
