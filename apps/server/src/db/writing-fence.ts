import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { ConnectionOptions } from './client.ts';
import { StartFault } from '../start-fault.ts';

/** SQLSTATE of what the fence refuses; no class of PostgreSQL's or of the standard's begins so. */
export const FENCED = 'LV001';

/** Behind a statement that waits for a lock stands everybody who only wants to write for a moment: it gives way, and comes again. */
const LOCK_WAIT_MS = 2000;
const TRIES = 30;
const PAUSE_MS = 500;
/** A lock that was not given, and two who wait for each other. */
const GIVE_WAY = new Set(['55P03', '40P01']);

/** Held by whoever moves the data: it ends with the connection. */
const MOVING = `hashtext('lavra:moving')`;

/** What a move takes along, jobs in all their parts among it; but what a start writes before it may lift the fence, and the move itself. */
const TABLES = `
  select format('%I.%I', n.nspname, c.relname) as name
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where ((n.nspname = current_schema() and c.relkind = 'r' and c.relpersistence = 'p' and c.relname not in ('kysely_migration', 'kysely_migration_lock', 'storage_identity', 'installation'))
      or (n.nspname = 'pgboss' and (c.relname = 'job' or exists (select from pg_inherits where inhrelid = c.oid and inhparent = 'pgboss.job'::regclass))))
    and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
  order by 1`;

export const isFenced = (error: unknown): boolean => (error as { code?: string } | null)?.code === FENCED;

/** Claims the moving of a database's data; null while another program does it. */
export async function claimMoving(connection: ConnectionOptions): Promise<{ leave(): Promise<void> } | null> {
  const client = await connected(connection);
  const { rows } = await client.query<{ taken: boolean }>(`select pg_try_advisory_lock(${MOVING}) as taken`);
  if (rows[0]?.taken) return { leave: () => client.end() };
  await client.end();
  return null;
}

/**
 * From when this resolves nobody writes into what a move takes along, whoever they are and whatever they had begun: who was writing has ended, and who
 * comes is refused (`FENCED`). Reading goes on. It stays until it is lifted, though this program be killed.
 */
export async function raiseFence(connection: ConnectionOptions): Promise<void> {
  await inTurn(connection, async (client) => {
    const { rows } = await client.query<{ name: string }>(TABLES);
    // Triggers are made under this lock, which waits for all who have written and not ended.
    await client.query(`lock table ${rows.map(({ name }) => name).join(', ')} in share row exclusive mode`);
    await client.query(`create or replace function writing_fence() returns trigger language plpgsql as $$
      begin raise exception 'these data are being moved to another place, or have been' using errcode = '${FENCED}'; end $$`);
    for (const { name } of rows)
      await client.query(`create or replace trigger writing_fence before insert or update or delete or truncate on ${name}
        for each statement execute function writing_fence()`);
  });
}

/** Everybody may write again. */
export async function liftFence(connection: ConnectionOptions): Promise<void> {
  await inTurn(connection, (client) => client.query('drop function if exists writing_fence() cascade'));
}

/**
 * Lifts what a move that was broken off has left. To be called when it is known that these data have not moved: nobody may write beside the place
 * that they went to.
 * @throws StartFault of `variable` while they are being moved
 */
export async function liftFenceLeft(connection: ConnectionOptions, variable: string): Promise<void> {
  const client = await connected(connection);
  try {
    const { rows } = await client.query<{ there: boolean }>(`select to_regproc('writing_fence') is not null as there`);
    if (!rows[0]?.there) return;
    const { rows: claimed } = await client.query<{ taken: boolean }>(`select pg_try_advisory_lock(${MOVING}) as taken`);
    if (!claimed[0]?.taken)
      throw new StartFault(variable, 'these data are being moved to another place at this moment; start over that one when it has ended');
    await liftFence(connection);
  } finally {
    await client.end();
  }
}

async function connected(connection: ConnectionOptions): Promise<pg.Client> {
  const client = new pg.Client({ ...connection, keepAlive: true, application_name: 'lavra moving' });
  // Told by the statement under way.
  client.on('error', () => {});
  await client.connect();
  return client;
}

/** In a transaction of its own, which is begun anew when others do not let go. */
async function inTurn(connection: ConnectionOptions, act: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = await connected(connection);
  try {
    await client.query(`set lock_timeout = ${LOCK_WAIT_MS}`);
    for (let tried = 1; ; tried += 1) {
      try {
        await client.query('begin');
        await act(client);
        return void (await client.query('commit'));
      } catch (error) {
        await client.query('rollback').catch(() => {});
        if (tried === TRIES || !GIVE_WAY.has((error as { code?: string }).code ?? '')) throw error;
      }
      await sleep(PAUSE_MS);
    }
  } finally {
    await client.end();
  }
}
