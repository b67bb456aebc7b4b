import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { startTestApp } from '../testing/app.ts';
import { dropQueueChecks } from './queue-checks.ts';

test('a start takes away what checks each job against its queue, and waits for nobody who writes one', async () => {
  const app = await startTestApp();
  const { db, log } = app.ctx;
  const checks = async () => {
    const { rows } = await sql`select from pg_constraint where contype = 'f' and conname in ('q_fkey', 'dlq_fkey')`.execute(db);
    return rows.length;
  };
  try {
    assert.equal(await checks(), 0);
    await sql`alter table pgboss.job_common add constraint q_fkey foreign key (name) references pgboss.queue (name)`.execute(db);
    await db.transaction().execute(async (tx) => {
      await sql`lock table pgboss.job_common in row exclusive mode`.execute(tx);
      await dropQueueChecks(db, log);
    });
    assert.equal(await checks(), 1);
    await dropQueueChecks(db, log);
    assert.equal(await checks(), 0);
  } finally {
    await app.close();
  }
});
