import type { DatabaseClient } from '../db/client.ts';

type Db = DatabaseClient['db'];

/** The id of this database's storage, given by the first who asks; held against other nodes while `act` runs. */
export async function claimIdentity(
  db: Db,
  fresh: string,
  act: (tx: Db, identity: { id: string; isMarked: boolean }) => Promise<void>,
): Promise<void> {
  await db
    .insertInto('storage_identity')
    .values({ id: fresh, marked_at: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await db.transaction().execute(async (tx) => {
    const row = await tx.selectFrom('storage_identity').selectAll().forUpdate().executeTakeFirstOrThrow();
    await act(tx, { id: row.id, isMarked: row.marked_at !== null });
  });
}

export async function markIdentity(tx: Db, now: Date): Promise<void> {
  await tx.updateTable('storage_identity').set({ marked_at: now }).execute();
}

/** Hashes of the files that were referred to last. */
export async function listNewestBlobs(db: Db, count: number): Promise<string[]> {
  const rows = await db
    .selectFrom('blob')
    .select('hash')
    .where('kind', 'is not', null)
    .orderBy('first_seen', 'desc')
    .limit(count)
    .execute();
  return rows.map(({ hash }) => hash);
}

/** Parts a database from its storage: a start over it is refused from now on. */
export async function replaceIdentity(db: Db, id: string): Promise<void> {
  await db.updateTable('storage_identity').set({ id }).execute();
}
