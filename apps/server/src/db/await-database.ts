import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { inWords, StartFault } from '../start-fault.ts';
import type { ConnectionOptions } from './client.ts';
import { isConnectionFault } from './database-away.ts';

const POLL_MS = 1000;
const REMIND_MS = 10_000;
const CONNECT_MS = 5000;
/** SQLSTATE invalid_catalog_name: the server is there, somebody is yet to create the database (a restore under way). */
const NO_SUCH_DATABASE = '3D000';

export interface Waiting {
  /** Told at once that it waits, every ten seconds that it still does, and that it goes on. One line each, without secrets. */
  say(line: string): void;
  signal: AbortSignal;
}

/**
 * Returns when the database answers: a supervisor starts us and it at once, and either may be faster.
 * @throws StartFault when no waiting mends it (a wrong password, a missing role, TLS), and the signal's reason when it is aborted
 */
export async function awaitDatabase(connection: ConnectionOptions, { say, signal }: Waiting): Promise<void> {
  const since = performance.now();
  const seconds = () => Math.round((performance.now() - since) / 1000);
  let told = 0;
  for (;;) {
    signal.throwIfAborted();
    const client = clientOf(connection);
    const fault = await tryOnce(client, connection);
    if (fault === null) break;
    if (told === 0) say(`Waiting for the database ${nameOf(client, connection)}: ${causeOf(fault)}`);
    else if (performance.now() - told > REMIND_MS)
      say(`Still waiting for the database ${nameOf(client, connection)} after ${seconds()} s: ${causeOf(fault)}`);
    if (told === 0 || performance.now() - told > REMIND_MS) told = performance.now();
    await sleep(POLL_MS, undefined, { signal }).catch(() => {});
  }
  if (told > 0) say(`The database answers after ${seconds()} s`);
}

/** The address may name files of certificates, which are read here. @throws StartFault */
function clientOf(connection: ConnectionOptions): pg.Client {
  try {
    return new pg.Client({ ...connection, connectionTimeoutMillis: CONNECT_MS });
  } catch (error) {
    throw noConnection(connection, error);
  }
}

function noConnection(connection: ConnectionOptions, error: unknown): StartFault {
  const variable = 'connectionString' in connection ? 'DATABASE_URL' : 'LAVRA_DATA_DIR';
  return new StartFault(variable, `no connection, ${inWords(error)}`, { cause: error });
}

/** Null when it answers. @throws StartFault when no waiting mends it */
async function tryOnce(client: pg.Client, connection: ConnectionOptions): Promise<Error | null> {
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('select 1');
    return null;
  } catch (error) {
    if (isConnectionFault(error) || (error as { code?: string }).code === NO_SUCH_DATABASE) return error as Error;
    throw noConnection(connection, error);
  } finally {
    await client.end().catch(() => {});
  }
}

/** As an operator would say it, without user and password. */
function nameOf(client: pg.Client, connection: ConnectionOptions): string {
  const { host, port, database } = client;
  if (!('connectionString' in connection)) return `"${database}" of the embedded PostgreSQL in ${host}`;
  return `"${database}" at ${host.startsWith('/') ? host : `${host}:${port}`} (DATABASE_URL)`;
}

/** Of an address with several IPs the system's error has no words of its own. */
function causeOf(error: Error): string {
  return error.message || ((error as { code?: string }).code ?? 'no answer');
}
