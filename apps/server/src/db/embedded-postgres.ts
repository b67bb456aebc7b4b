import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { openSync } from 'node:fs';
import { chown, mkdir, rename, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { clusterHome, clusterOwner, MAJOR, type Owner, socketDirectory } from './cluster-place.ts';
import { clusterUsers, postmasterOf, removeStaleLocks } from './cluster-process.ts';
import { usableBinaries } from './postgres-binaries.ts';

/**
 * The embedded default: the real PostgreSQL binaries under our own supervisor, over a unix socket only.
 * A server left behind by a killed process is adopted, and shared by all programs that use the same data.
 */
export interface EmbeddedPostgres {
  /** For `pg`: a socket directory is given as the host. */
  host: string;
  user: string;
  /** True when a running server was taken over instead of started. */
  adopted: boolean;
  /** Tells the server to stop, unless another program uses it; does not wait. For the end of a program. */
  release(): void;
  /** The same, and waits until it has stopped. */
  stop(): Promise<void>;
}

const USER = 'lavra';
const START_SECONDS = 60;

/** @throws Error in words for the operator when there is no server for this computer, or it cannot start */
export async function startEmbeddedPostgres(dataDir: string): Promise<EmbeddedPostgres> {
  if (process.platform === 'win32')
    throw new Error('The embedded PostgreSQL needs unix sockets: on Windows set DATABASE_URL to a PostgreSQL server');
  await mkdir(dataDir, { recursive: true });
  const owner = await clusterOwner(dataDir);
  const home = await clusterHome(resolve(dataDir), owner);
  const cluster = join(home, MAJOR);
  const socketDir = await socketDirectory(cluster, owner);
  const users = clusterUsers(cluster);
  users.enter();
  const running = await waitForPrevious(cluster, socketDir);
  if (running !== null) return handle(cluster, socketDir, users, running, true);
  await removeStaleLocks(cluster, socketDir);
  const native = await usableBinaries(home, owner);
  if (!(await stat(join(cluster, 'PG_VERSION')).catch(() => null))) await initialise(native, cluster, owner);
  const child = launch(native, cluster, socketDir, owner);
  if (await becomesReady(cluster, socketDir, child)) return handle(cluster, socketDir, users, child.pid as number, false);
  // Two programs that start at once: the server of the other one holds the cluster.
  const other = await waitForPrevious(cluster, socketDir);
  if (other === null) throw new Error(`The database server did not start; see ${cluster}.log`);
  return handle(cluster, socketDir, users, other, true);
}

/** Made beside and named at the end: a cluster whose making was interrupted is never opened. */
async function initialise(native: string, cluster: string, owner: Owner | null): Promise<void> {
  const unfinished = `${cluster}.new-${process.pid}`;
  await mkdir(unfinished, { recursive: true, mode: 0o700 });
  if (owner) await chown(unfinished, owner.uid, owner.gid);
  const made = spawnSync(
    join(native, 'bin/initdb'),
    ['-D', unfinished, '-U', USER, '-A', 'trust', '--data-checksums', '-E', 'UTF8', '--locale=C.UTF-8', '--no-instructions'],
    { ...owner, cwd: '/', encoding: 'utf8' },
  );
  if (made.status !== 0) throw new Error(`The database could not be created: ${made.stderr ?? made.error?.message}`);
  await rename(unfinished, cluster).catch(async (error: NodeJS.ErrnoException) => {
    // Another program was faster.
    if (error.code !== 'ENOTEMPTY') throw error;
    await rm(unfinished, { recursive: true });
  });
}

function launch(native: string, cluster: string, socketDir: string, owner: Owner | null): ChildProcess {
  // A file, not our own stderr: the server may outlive us and must not hold our caller's pipe open.
  const log = openSync(`${cluster}.log`, 'a', 0o600);
  return spawn(
    join(native, 'bin/postgres'),
    [
      '-D',
      cluster,
      '-k',
      socketDir,
      '-c',
      'listen_addresses=',
      '-c',
      'max_connections=100',
      '-c',
      'log_min_messages=fatal',
      '-c',
      'logging_collector=off',
    ],
    // Detached: Ctrl-C reaches us first, so that requests end before the database does.
    { ...owner, cwd: '/', stdio: ['ignore', 'ignore', log], detached: true },
  );
}

/** The server from before, when it answers. One that is going down is waited for. */
async function waitForPrevious(cluster: string, socketDir: string): Promise<number | null> {
  for (let attempt = 0; attempt < START_SECONDS * 10; attempt += 1) {
    const pid = await postmasterOf(cluster);
    if (pid === null || (await answers(socketDir))) return pid;
    await sleep(100);
  }
  throw new Error(`A PostgreSQL server holds ${cluster} but does not answer`);
}

async function answers(socketDir: string): Promise<boolean> {
  const client = new pg.Client({ host: socketDir, user: USER, database: 'postgres', connectionTimeoutMillis: 2000 });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

/** False when the server ended instead. */
async function becomesReady(cluster: string, socketDir: string, child: ChildProcess): Promise<boolean> {
  let ended = false;
  child.once('error', () => (ended = true)).once('exit', () => (ended = true));
  const until = performance.now() + START_SECONDS * 1000;
  for (let pause = 10; !ended && performance.now() < until; pause = Math.min(pause * 2, 100)) {
    await sleep(pause);
    if (await answers(socketDir)) break;
  }
  child.unref();
  return (await postmasterOf(cluster)) === child.pid;
}

function handle(
  cluster: string,
  socketDir: string,
  users: ReturnType<typeof clusterUsers>,
  postmaster: number,
  adopted: boolean,
): EmbeddedPostgres {
  // SIGINT is PostgreSQL's fast shutdown: open transactions are rolled back, nothing needs recovery.
  const release = (): boolean => {
    const last = users.leave();
    if (last) process.kill(postmaster, 'SIGINT');
    return last;
  };
  return {
    host: socketDir,
    user: USER,
    adopted,
    release,
    async stop() {
      if (!release()) return;
      for (let attempt = 0; attempt < 600 && (await postmasterOf(cluster)) !== null; attempt += 1) await sleep(50);
    },
  };
}
