import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { ConnectionOptions } from '../../db/client.ts';
import { StartFault } from '../../start-fault.ts';

/** A database that is busy notices only then that a connection's program was killed. */
const LET_GO_MS = 3000;
const LOOK_MS = 100;

async function takes(client: pg.Client, folder: string): Promise<boolean> {
  const { rows } = await client.query<{ held: boolean }>(`select pg_try_advisory_lock(hashtext('lavra backup'), hashtext($1)) as held`, [
    folder,
  ]);
  return rows[0]?.held === true;
}

/**
 * Runs `act` while no other backup of this database goes into the same folder: each would drop what only the other one names, and seal
 * a snapshot whose files it never looked at. The database lets go of it with our connection, so that a kill leaves nothing behind.
 * @throws StartFault while another one runs
 */
export async function holdingFolder<T>(connection: ConnectionOptions, folder: string, act: () => Promise<T>): Promise<T> {
  const client = new pg.Client({ ...connection, application_name: 'lavra moving', keepAlive: true });
  client.on('error', () => {});
  await client.connect();
  try {
    let isHeld = await takes(client, folder);
    for (let waited = 0; !isHeld && waited < LET_GO_MS; waited += LOOK_MS) {
      await sleep(LOOK_MS);
      isHeld = await takes(client, folder);
    }
    if (!isHeld) throw new StartFault(folder, 'another backup into this folder is under way: wait for its end, or name another');
    return await act();
  } finally {
    await client.end().catch(() => {});
  }
}
