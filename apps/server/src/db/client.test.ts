import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { createTestDatabase } from '../testing/database.ts';
import { openDatabase } from './client.ts';

test('a day of the calendar comes back as it is written, whatever the zone; a count comes back as a number', async () => {
  const { connection, drop } = await createTestDatabase();
  const { db, close } = openDatabase(connection, { away: () => {}, answered: () => {} });
  try {
    const { rows } = await sql`select date '2027-04-21' as day, count(*) as many from generate_series(1, 3)`.execute(db);
    assert.deepEqual(rows, [{ day: '2027-04-21', many: 3 }]);
  } finally {
    await close();
    await drop();
  }
});

test('a node goes on while a newer one beside it adds columns to what both read and write, in a transaction and outside', async () => {
  const { connection, drop } = await createTestDatabase();
  const quiet = { away: () => {}, answered: () => {} };
  const [older, newer] = [openDatabase(connection, quiet), openDatabase(connection, quiet)];
  const db = older.db.withTables<{ box: { id: number; word: string } }>();
  try {
    await sql`create table box (id int primary key, word text not null)`.execute(db);
    const act = async (id: number, within: typeof db) => {
      await within.insertInto('box').values({ id, word: 'a' }).returningAll().executeTakeFirstOrThrow();
      await within.updateTable('box').set({ word: 'b' }).where('id', '=', id).returningAll().executeTakeFirstOrThrow();
      await within.selectFrom('box').selectAll('box').where('id', '=', id).executeTakeFirstOrThrow();
      await within.selectFrom('box').select(['id', 'word']).where('id', '=', id).executeTakeFirstOrThrow();
      await sql`select (select json_agg(b) from (select box.* from box where id = ${id}) as b) as whole`.execute(within);
      await sql`with gone as (select * from box where id = ${id}) select * from (select * from gone) as it`.execute(within);
      await sql`with it as (insert into box (id, word) select * from (select ${-id}::int, 'a') as one on conflict do nothing returning *) select id from it`.execute(
        within,
      );
      const { rows } = await sql<{ word: string }>`select * from box where id = ${id} for update`.execute(within);
      return rows[0]?.word;
    };
    for (let round = 0; round < 3; round += 1) {
      assert.equal(await act(round * 2, db), 'b');
      assert.equal(await db.transaction().execute((trx) => act(round * 2 + 1, trx as unknown as typeof db)), 'b');
      await sql`alter table box add column ${sql.ref(`added_${round}`)} text`.execute(newer.db);
    }
  } finally {
    await Promise.all([older.close(), newer.close()]);
    await drop();
  }
});

test('what is answered under names of its own is planned once in a connection, whatever stands in its subselects', async () => {
  const { connection, drop } = await createTestDatabase();
  const { db, close } = openDatabase(connection, { away: () => {}, answered: () => {} });
  try {
    await sql`create table box (id int primary key, word text not null)`.execute(db);
    await db.connection().execute(async (one) => {
      for (let round = 0; round < 3; round += 1) {
        await sql`select id, (select json_agg(b) from (select box.* from box) as b) as all_of_it from box where id = ${round}`.execute(one);
        await sql`select box.* from box where id = ${round}`.execute(one);
        await sql`select * from (select id, coalesce(word, '') as word from box) as record where id = ${round}`.execute(one);
        await sql`select * from (select id from box) as record join box as other on other.id = record.id where other.id = ${round}`.execute(
          one,
        );
        await sql`select * from (select other.* from (select id from box) as it join box as other using (id)) as record where id = ${round}`.execute(
          one,
        );
      }
      const { rows } = await sql<{ statement: string }>`select statement from pg_prepared_statements where ${true}`.execute(one);
      assert.deepEqual(rows.map(({ statement }) => statement.slice(0, 23)).toSorted(), [
        'select * from (select i',
        'select id, (select json',
        'select statement from p',
      ]);
    });
  } finally {
    await close();
    await drop();
  }
});
