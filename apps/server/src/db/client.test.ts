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
