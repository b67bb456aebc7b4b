import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '../db/tables.ts';
import type { SealedColumn } from './sealed-columns.ts';

export type Tx = Transaction<Database>;

export interface SealedRow {
  id: string;
  sealed: Buffer;
}

const BATCH = 500;

/** Only one start or rotation at a time compares and writes. */
export function alone<T>(db: Kysely<Database>, run: (tx: Tx) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtext('lavra:installation'))`.execute(tx);
    return run(tx);
  });
}

export async function findSecretCheck(db: Kysely<Database>): Promise<Buffer | null> {
  const row = await db.selectFrom('installation').select('secret_check').executeTakeFirst();
  return row?.secret_check ?? null;
}

export async function writeSecretCheck(tx: Tx, check: Buffer): Promise<void> {
  await tx
    .insertInto('installation')
    .values({ secret_check: check })
    .onConflict((conflict) => conflict.column('one').doUpdateSet({ secret_check: check }))
    .execute();
}

/** Rows with something in that column, by their id; all of them, however many. */
export async function* listSealed(db: Kysely<Database>, column: SealedColumn): AsyncGenerator<SealedRow> {
  let last = '';
  for (;;) {
    const batch: SealedRow[] = await listBatch(db, column, last);
    yield* batch;
    last = batch.at(-1)?.id ?? '';
    if (batch.length < BATCH) return;
  }
}

/** No id is empty: every one is greater than ''. */
async function listBatch(db: Kysely<Database>, { table, id, column }: SealedColumn, last: string): Promise<SealedRow[]> {
  const { rows } = await sql<SealedRow>`
    select ${sql.ref(id)}::text as id, ${sql.ref(column)} as sealed from ${sql.table(table)}
    where ${sql.ref(column)} is not null and ${sql.ref(id)}::text > ${last}
    order by ${sql.ref(id)}::text limit ${BATCH}`.execute(db);
  return rows;
}

export async function replaceSealed(tx: Tx, { table, id, column }: SealedColumn, row: string, sealed: Buffer | null): Promise<void> {
  await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${sealed} where ${sql.ref(id)}::text = ${row}`.execute(tx);
}

/** Keeps everybody from writing there until the end of the transaction; reading goes on. */
export async function lockTable(tx: Tx, { table }: SealedColumn): Promise<void> {
  await sql`lock table ${sql.table(table)} in exclusive mode`.execute(tx);
}
