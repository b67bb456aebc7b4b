import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type ConnectionOptions, PROBED } from '../db/client.ts';
import { assertOwnSession } from '../db/pooler.ts';
import { DatabaseAwayError, isConnectionFault } from '../db/database-away.ts';
import { StartFault } from '../start-fault.ts';

/** A running program's mark in its database, as long as the program lives: an advisory lock, which ends with the connection. */
export interface Presence {
  /** The session that bears the mark, straight to the database; null while it is lost. */
  session(): pg.Client | null;
  /** A number that is locked as long as that session is there: what bears it and is locked by nobody was left by a program that died. Null while it is lost. */
  mark(): number | null;
  leave(): Promise<void>;
}

const KEY = `hashtext('lavra:nodes')`;
/** Beside a mark, of the lock that shows that its program lives. */
export const MARKS = `hashtext('lavra:marks')`;
const AGAIN_MS = 1000;

/**
 * Marks this program as one of those that run; as many as like do.
 * `onReturn` is called when the mark was lost with the connection and is there again: anything may have happened meanwhile.
 * @throws StartFault while somebody needs the database alone
 */
export async function joinNodes(connection: ConnectionOptions, onReturn: () => Promise<void>): Promise<Presence> {
  let left = false;
  let bearer = await marked(connection, 'pg_try_advisory_lock_shared');
  if (!bearer) throw new StartFault('LAVRA_SECRET', 'is being rotated over this database at this moment; start again when that has ended');
  const watch = (watched: pg.Client) => watched.once('end', () => void comeBack());
  const comeBack = async () => {
    for (bearer = null; !left && !bearer;) {
      await sleep(AGAIN_MS, undefined, { ref: false });
      bearer = await marked(connection, 'pg_try_advisory_lock_shared').catch(() => null);
    }
    if (!bearer) return;
    if (left) return void bearer.client.end();
    watch(bearer.client);
    // The database went away again: so does this mark, and the next one asks once more.
    await onReturn().catch(() => bearer?.client.end());
  };
  watch(bearer.client);
  return {
    session: () => bearer?.client ?? null,
    mark: () => bearer?.mark ?? null,
    async leave() {
      left = true;
      await bearer?.client.end();
    },
  };
}

/** Marks that nobody else may run; null while another program does. */
export async function claimAlone(connection: ConnectionOptions): Promise<Pick<Presence, 'leave'> | null> {
  const alone = await marked(connection, 'pg_try_advisory_lock');
  return alone && { leave: () => alone.client.end() };
}

async function marked(connection: ConnectionOptions, lock: string): Promise<{ client: pg.Client; mark: number } | null> {
  const client = new pg.Client({ ...connection, ...PROBED, application_name: 'lavra node' });
  // Its end is heard of by itself.
  client.on('error', () => {});
  try {
    await client.connect();
    await assertOwnSession(client);
    // The server notices within a minute that this computer went away, instead of within hours.
    await client.query('set tcp_keepalives_idle = 30; set tcp_keepalives_interval = 10; set tcp_keepalives_count = 3');
    const mark = randomInt(2 ** 31);
    const { rows } = await client.query<{ taken: boolean }>(`select ${lock}(${KEY}) as taken, pg_advisory_lock_shared(${MARKS}, $1)`, [
      mark,
    ]);
    if (rows[0]?.taken) return { client, mark };
  } catch (error) {
    await client.end().catch(() => {});
    throw isConnectionFault(error) ? new DatabaseAwayError(error) : error;
  }
  await client.end();
  return null;
}
