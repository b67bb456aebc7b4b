import { type Kysely, sql } from 'kysely';
import type { Logger } from 'pino';
import type { Database } from './tables.ts';

/** Whoever sends a job waits behind who waits here: it is tried again at the next start. */
const LOCK_WAIT = '1s';
/** Lock not available, deadlock detected. */
const IN_THE_WAY = new Set(['55P03', '40P01']);

/** Of the job queue's tables: that the queue and the dead letters of a job are queues. */
const checks = sql<{ table: string; name: string }>`
  select conrelid::regclass::text as table, conname as name from pg_constraint
  where contype = 'f' and conparentid = 0 and conname in ('q_fkey', 'dlq_fkey') and confrelid = to_regclass('pgboss.queue')`;

/**
 * Takes away what PostgreSQL checks of every job that is written, one statement and one shared lock on the queue's row each: no queue is ever
 * removed, and a job is only written by a join with its queue.
 */
export async function dropQueueChecks(db: Kysely<Database>, log: Logger): Promise<void> {
  const { rows } = await checks.execute(db);
  if (rows.length === 0) return;
  try {
    await db.transaction().execute(async (tx) => {
      await sql`select set_config('lock_timeout', ${LOCK_WAIT}, true)`.execute(tx);
      for (const { table, name } of rows) await sql`alter table ${sql.raw(table)} drop constraint if exists ${sql.id(name)}`.execute(tx);
    });
  } catch (error) {
    if (!IN_THE_WAY.has((error as { code?: string }).code ?? '')) throw error;
    log.info('the checks of the job queue stay until the next start: others write to it');
  }
}
