import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import pg from 'pg';
import { createTestDatabase } from '../testing/database.ts';
import { committedDuring } from '../testing/statements.ts';
import { openDatabase } from './client.ts';
import { migrate } from './migrate.ts';
import { readMigrations } from './migrations.ts';

const quiet = { away: () => {}, answered: () => {} };

/** A database as a version had it that ended with this migration. */
async function databaseAt(last: string) {
  const { connection, drop } = await createTestDatabase();
  const { db, close } = openDatabase(connection, quiet);
  await sql`drop schema public cascade`.execute(db);
  await sql`drop schema if exists pgboss cascade`.execute(db);
  await sql`create schema public`.execute(db);
  const { error } = await new Migrator({ db, provider: { getMigrations: readMigrations } }).migrateTo(last);
  assert.equal(error, undefined);
  const reader = new pg.Client(connection);
  await reader.connect();
  return { db, reader, end: () => Promise.all([close(), reader.end()]).then(drop) };
}

test('a migration keeps nobody waiting behind a lock that it waits for: it lets them pass and comes again', async () => {
  const { db, reader, end } = await databaseAt('001-foundation');
  try {
    await reader.query('begin');
    await reader.query('select count(*) from app_user');
    let ended = false;
    const migrating = migrate(db, 'DATABASE_URL', { lockWaitMs: 200, tries: 100 }).finally(() => (ended = true));
    // It stands in the line now; whoever comes after it waits for it, and no longer than it may wait itself.
    while (!(await isWaiting(db))) await sleep(10);
    await sql`select count(*) from app_user`.execute(db);
    assert.equal(ended, false);
    await reader.query('commit');
    assert.ok((await migrating).length > 40);
  } finally {
    await end();
  }
});

test('a lock that nobody lets go ends the start in words, with nothing changed', async () => {
  const { db, reader, end } = await databaseAt('001-foundation');
  try {
    await reader.query('begin');
    await reader.query('select count(*) from app_user');
    await assert.rejects(migrate(db, 'DATABASE_URL', { lockWaitMs: 50, tries: 2 }), {
      name: 'StartFault',
      message: /^DATABASE_URL: \d{3}-[a-z-]+: somebody holds a lock that it needs/,
    });
    const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
    assert.deepEqual(rows, [{ name: '001-foundation' }]);
  } finally {
    await end();
  }
});

async function isWaiting(db: Parameters<typeof migrate>[0]): Promise<boolean> {
  const { rows } = await sql<{ is: boolean }>`
    select exists (select from pg_locks where not granted and relation = 'app_user'::regclass and database = (
      select oid from pg_database where datname = current_database())) as is`.execute(db);
  return rows[0]?.is ?? false;
}

test('over data that are up to date a start asks one thing and locks nothing', async () => {
  const { connection, drop } = await createTestDatabase();
  const { db, close } = openDatabase(connection, quiet);
  try {
    const alone: string[] = [];
    const committed = await committedDuring(
      async () => assert.deepEqual(await migrate(db), []),
      (text) => alone.push(text),
    );
    assert.deepEqual([committed, alone], [[], ['select name from kysely_migration order by name']]);
  } finally {
    await close().then(drop);
  }
});
