import { type Kysely, sql } from 'kysely';
import type pg from 'pg';
import { StartFault } from '../start-fault.ts';
import type { Database } from './tables.ts';

/**
 * A pooler tells its clients a number of its own where the server tells the one of its session. Behind it a mark on a session, a
 * setting of one, and what a session listens to would be somebody else's.
 * @throws StartFault
 */
export async function assertOwnSession(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  // Its declaration leaves out what the server says at the beginning.
  const { processID } = client as unknown as { processID: number | null };
  if (rows[0]?.pid === processID) return;
  throw new StartFault('DATABASE_URL', 'leads through a pooler: name the database itself here, and the pooler in DATABASE_POOL_URL');
}

/** One installation has one database, whichever way it is reached; a copy of it for reading is another. @throws StartFault */
export async function assertSameDatabase(straight: Kysely<Database>, pooled: Kysely<Database>): Promise<void> {
  const [one, other] = await Promise.all([straight, pooled].map(identityOf));
  if (one !== other) throw new StartFault('DATABASE_POOL_URL', 'leads to another database than DATABASE_URL');
}

async function identityOf(db: Kysely<Database>): Promise<string> {
  const { rows } = await sql<{ identity: string }>`
    select extract(epoch from pg_postmaster_start_time())::text || ' ' || oid as identity from pg_database where datname = current_database()`.execute(
    db,
  );
  return rows[0]?.identity ?? '';
}
