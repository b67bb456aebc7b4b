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
const LOCK_NOT_AVAILABLE = '55P03';

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

/** Holds the moving of a database's data. */
export interface Moving {
  /** @throws when it was lost with its connection: anybody may have begun to write since */
  assertHeld(): Promise<void>;
  leave(): Promise<void>;
}

/** Claims the moving of a database's data; null while another program does it. */
export async function claimMoving(connection: ConnectionOptions): Promise<Moving | null> {
  const client = await connected(connection);
  // It says nothing for as long as all the data take.
  await client.query(
    'set idle_session_timeout = 0; set tcp_keepalives_idle = 30; set tcp_keepalives_interval = 10; set tcp_keepalives_count = 3',
  );
  const { rows } = await client.query<{ taken: boolean }>(`select pg_try_advisory_lock(${MOVING}) as taken`);
  if (rows[0]?.taken) return { assertHeld: async () => void (await client.query('select')), leave: () => client.end() };
  await client.end();
  return null;
}

/**
 * From when this resolves nobody writes into what a move takes along, whoever they are and whatever they had begun: who was writing has ended, and who
 * comes is refused (`FENCED`). Reading goes on. It stays until it is lifted, though this program be killed.
 */
export async function raiseFence(connection: ConnectionOptions): Promise<void> {
  const client = await connected(connection);
  try {
    await client.query(`set lock_timeout = ${LOCK_WAIT_MS}`);
    await inTurn(
      client,
      `create or replace function writing_fence() returns trigger language plpgsql as $$
      begin raise exception 'these data are being moved to another place, or have been' using errcode = '${FENCED}'; end $$`,
    );
    const { rows } = await client.query<{ name: string }>(TABLES);
    // Each by itself: a trigger is made under a lock that waits for all who have written and not ended, and who waits holding none is in nobody's way.
    for (const { name } of rows)
      await inTurn(
        client,
        `create or replace trigger writing_fence before insert or update or delete or truncate on ${name}
        for each statement execute function writing_fence()`,
      );
  } finally {
    await client.end();
  }
}

/** Everybody may write again. */
export async function liftFence(connection: ConnectionOptions): Promise<void> {
  const client = await connected(connection);
  try {
    await client.query(`set lock_timeout = ${LOCK_WAIT_MS}`);
    const { rows } = await client.query<{ name: string }>(
      `select tgrelid::regclass::text as name from pg_trigger where tgfoid = to_regproc('writing_fence')`,
    );
    for (const { name } of rows) await inTurn(client, `drop trigger if exists writing_fence on ${name}`);
    await inTurn(client, 'drop function if exists writing_fence()');
  } finally {
    await client.end();
  }
}

/**
 * Lifts what a move that was broken off has left. `prove` looks, while nobody can move them, whether these data are still here: nobody may write
 * beside the place that they went to.
 * @throws StartFault of `variable` while they are being moved
 */
export async function liftFenceLeft(connection: ConnectionOptions, variable: string, prove: () => Promise<void>): Promise<void> {
  const client = await connected(connection);
  try {
    const { rows } = await client.query<{ there: boolean }>(`select to_regproc('writing_fence') is not null as there`);
    if (!rows[0]?.there) return;
    const { rows: claimed } = await client.query<{ taken: boolean }>(`select pg_try_advisory_lock(${MOVING}) as taken`);
    if (!claimed[0]?.taken)
      throw new StartFault(variable, 'these data are being moved to another place at this moment; start over that one when it has ended');
    await prove();
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

/** One statement, which is tried anew when others do not let go. */
async function inTurn(client: pg.Client, statement: string): Promise<void> {
  for (let tried = 1; ; tried += 1) {
    try {
      return void (await client.query(statement));
    } catch (error) {
      if (tried === TRIES || (error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error;
    }
    await sleep(PAUSE_MS);
  }
}
