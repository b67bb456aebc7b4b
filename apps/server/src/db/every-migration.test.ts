import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import pg from 'pg';
import { tableShapes, type TableShape, writeAnyRows } from '../testing/any-rows.ts';
import { createTestDatabase } from '../testing/database.ts';
import { randomOf } from '../testing/year/random.ts';
import { openDatabase } from './client.ts';
import { readMigrations } from './migrations.ts';

/** `LAVRA_MIGRATIONS_SEED` has other rows, and the same ones again. */
const seed = Number(process.env['LAVRA_MIGRATIONS_SEED'] ?? 2026);

/** Columns that no program wrote before this migration. */
const unwritten: Readonly<Record<string, string>> = {
  // Models came later than the column for them.
  'signer.model_id': '008-signature-models',
};

/** What was changed in rows that were there, on purpose: e-mails and log-ins are compared in small letters, letters that went are erased. */
const rewritten = new Set([
  '014-account-safety: app_user.login',
  '014-account-safety: app_user.email',
  '014-account-safety: signer.email',
  '014-account-safety: stakeholder.email',
  '016-sealed-mails: mail.subject',
  '016-sealed-mails: mail.html',
  '016-sealed-mails: mail.text',
]);

/** Before the first release that runs beside another: every node was stopped for it. */
const ALONE = '010-stored-bytes';

type Row = Readonly<Record<string, string | null>>;

interface House {
  client: pg.Client;
  migrateTo(name: string): Promise<void>;
}

/** A database without a schema. */
async function inEmptyHouse(run: (house: House, names: readonly string[]) => Promise<void>): Promise<void> {
  const { connection, drop } = await createTestDatabase();
  const { db, close } = openDatabase(connection, { away: () => {}, answered: () => {} });
  const client = new pg.Client(connection);
  await client.connect();
  try {
    await sql`drop schema public cascade`.execute(db);
    await sql`drop schema if exists pgboss cascade`.execute(db);
    await sql`create schema public`.execute(db);
    const migrations = await readMigrations();
    const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
    const migrateTo = async (name: string) => {
      const { error } = await migrator.migrateTo(name);
      if (error) throw new Error(`${name} does not run over rows (seed ${seed})`, { cause: error });
    };
    await run({ client, migrateTo }, Object.keys(migrations));
  } finally {
    await client.end();
    await close();
    await drop();
  }
}

/** The tables as the program before this migration wrote them. */
function writtenBefore(migration: string, shapes: readonly TableShape[]): TableShape[] {
  const isWritten = (table: string, column: string) => (unwritten[`${table}.${column}`] ?? '') < migration;
  return shapes.map((shape) => ({ ...shape, columns: shape.columns.filter(({ name }) => isWritten(shape.name, name)) }));
}

/** Every row by its key, each value as PostgreSQL writes it. @throws a table or column that is gone */
async function rowsOf(client: pg.Client, { name, key, columns }: TableShape): Promise<ReadonlyMap<string, Row>> {
  const { rows } = await client.query<Row>(`select ${columns.map((column) => `"${column.name}"::text`).join()} from "${name}"`);
  return new Map(rows.map((row) => [JSON.stringify((key.length > 0 ? key : Object.keys(row)).map((column) => row[column])), row]));
}

async function everyRow(client: pg.Client, shapes: readonly TableShape[]): Promise<ReadonlyMap<string, ReadonlyMap<string, Row>>> {
  const tables = new Map<string, ReadonlyMap<string, Row>>();
  for (const shape of shapes) tables.set(shape.name, await rowsOf(client, shape));
  return tables;
}

describe('migrations with rows in every table', () => {
  it('lose no row, no column and no value, and the version before goes on writing beside them', async () => {
    await inEmptyHouse(async ({ client, migrateTo }, names) => {
      const random = randomOf(seed);
      let compared = 0;
      for (const name of names) {
        const shapes = writtenBefore(name, await tableShapes(client));
        await writeAnyRows(client, shapes, random, 3);
        const before = await everyRow(client, shapes);
        await migrateTo(name);
        const after = await everyRow(client, shapes);
        for (const [table, rows] of before)
          for (const [key, row] of rows) {
            const found = after.get(table)?.get(key);
            assert.ok(found, `${name}: a row of ${table} is gone (seed ${seed})`);
            const changed = Object.keys(row).filter((column) => row[column] !== found[column]);
            const unforeseen = changed.filter((column) => !rewritten.has(`${name}: ${table}.${column}`));
            assert.deepEqual(unforeseen, [], `${name}: ${table} (seed ${seed})`);
            compared += 1;
          }
        if (name !== ALONE) await writeAnyRows(client, shapes, random, 1);
      }
      assert.ok(compared > 1000, `${compared} rows`);
    });
  });
});
