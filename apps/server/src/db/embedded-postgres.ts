import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { openSync } from 'node:fs';
import { chown, mkdir, rename, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { clusterHome, clusterOwner, giveTo, MAJOR, NOBODY, type Owner, socketDirectory } from './cluster-place.ts';
import { alone, clusterUsers, hasProcesses, postmasterOf, removeStaleLocks, watchPostmaster } from './cluster-process.ts';
import { StartFault } from '../start-fault.ts';
import { usableBinaries } from './postgres-binaries.ts';

/**
 * The embedded default: the real PostgreSQL binaries under our own supervision, over a unix socket only.
 * A server left behind by a killed process is adopted, and shared by all programs that use the same data;
 * one that ends without our wish is started again, by whichever of them notices first.
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

/** Where everything of one cluster is, and who runs it. */
interface Place {
  home: string;
  cluster: string;
  socketDir: string;
  owner: Owner | null;
}

interface Running {
  pid: number;
  adopted: boolean;
}

const USER = 'lavra';
/** One program's server on one machine: nobody subscribes to it, and what it reads is read by whoever asks, without three processes beside. */
const SETTINGS = {
  listen_addresses: '',
  max_connections: 100,
  log_min_messages: 'fatal',
  logging_collector: 'off',
  max_logical_replication_workers: 0,
  io_method: 'sync',
  // A round through all tables of all databases costs what an idle program does in half a minute.
  autovacuum_naptime: '5min',
  // Fewer whole pages are written down anew; what a crash leaves to be read again is bounded by its size (max_wal_size) as before.
  checkpoint_timeout: '15min',
  // As for SSDs, and for what is in memory: for moving heads (4) tables of some hundred rows are read whole where an index leads to the one.
  random_page_cost: '1.1',
  // It looked five times a second. Of what waits for no disk a power cut loses three seconds at most; what was promised to anybody waits.
  wal_writer_delay: '1s',
} as const;
const START_SECONDS = 60;
const WATCH_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;

/**
 * @param tell hears, one line each, that the server ended and that it is back
 * @param launched hears that a server's process has been started, which is yet to answer
 * @throws StartFault when there is no server for this computer, or it cannot start
 */
export async function startEmbeddedPostgres(
  dataDir: string,
  tell: (line: string) => void = () => {},
  launched?: () => void,
): Promise<EmbeddedPostgres> {
  if (process.platform === 'win32')
    throw new StartFault('DATABASE_URL', 'needed on Windows, where there are no unix sockets for the embedded PostgreSQL');
  await mkdir(dataDir, { recursive: true });
  const owner = await clusterOwner(dataDir);
  const home = await clusterHome(resolve(dataDir), owner);
  const cluster = join(home, MAJOR);
  const place = { home, cluster, socketDir: await socketDirectory(cluster, owner), owner };
  const users = clusterUsers(cluster);
  users.enter();
  try {
    return supervise(place, users, await runAfterOrphans(place, tell, launched), tell);
  } catch (error) {
    users.leave();
    throw error;
  }
}

/** What a killed server leaves behind ends by itself when it notices, and holds the cluster until then. */
async function runAfterOrphans(place: Place, tell: (line: string) => void, launched?: () => void): Promise<Running> {
  for (let isTold = false; ; isTold = true) {
    try {
      return await alone(place.cluster, () => run(place, true, launched));
    } catch (error) {
      if (process.platform !== 'linux' || !(await hasProcesses(place.cluster))) throw error;
      if (!isTold) tell(`Waiting for processes of a PostgreSQL that was killed to leave ${place.cluster}`);
      await sleep(500);
    }
  }
}

/** The server of this cluster: the one that runs, or a new one. A cluster that vanished under us is never replaced by an empty one. */
async function run(place: Place, mayBeNew: boolean, launched?: () => void): Promise<Running> {
  const { home, cluster, socketDir, owner } = place;
  const running = await waitForPrevious(cluster, socketDir);
  if (running !== null) return { pid: running, adopted: true };
  await removeStaleLocks(cluster, socketDir);
  const native = await usableBinaries(home, owner);
  if (!(await stat(join(cluster, 'PG_VERSION')).catch(() => null))) {
    if (!mayBeNew) throw new Error(`${cluster} is gone`);
    await initialise(native, cluster, owner);
  }
  // Clusters of versions before ran as `nobody`.
  if (owner) for (const path of [cluster, socketDir]) await giveTo(owner, path);
  const child = launch(native, cluster, socketDir, owner);
  launched?.();
  if (await becomesReady(cluster, socketDir, child)) return { pid: child.pid as number, adopted: false };
  // Somebody else than a program of ours has started one.
  const other = await waitForPrevious(cluster, socketDir);
  if (other === null) throw new StartFault('LAVRA_DATA_DIR', `the embedded PostgreSQL did not start; see ${cluster}.log`);
  return { pid: other, adopted: true };
}

/** Made beside and named at the end: a cluster whose making was interrupted is never opened. */
async function initialise(native: string, cluster: string, owner: Owner | null): Promise<void> {
  const closed = `${cluster}.new-${process.pid}`;
  const unfinished = join(closed, 'data');
  // initdb wants a user with a name, which the server's own has not always: then `nobody` makes it, behind a door that is open
  // to that one process alone, by its group.
  const maker = owner && { uid: NOBODY, gid: owner.gid };
  await mkdir(closed, { recursive: true, mode: 0o710 });
  if (owner) await chown(closed, 0, owner.gid);
  await mkdir(unfinished, { recursive: true, mode: 0o700 });
  if (maker) await chown(unfinished, maker.uid, maker.gid);
  const made = spawnSync(
    join(native, 'bin/initdb'),
    ['-D', unfinished, '-U', USER, '-A', 'trust', '--data-checksums', '-E', 'UTF8', '--locale=C.UTF-8', '--no-instructions'],
    { ...maker, cwd: '/', encoding: 'utf8' },
  );
  if (made.status !== 0) throw new StartFault('LAVRA_DATA_DIR', `the database could not be created, ${made.stderr || made.error?.message}`);
  if (owner) await giveTo(owner, unfinished);
  await rename(unfinished, cluster).catch((error: NodeJS.ErrnoException) => {
    // Another program was faster.
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
  });
  await rm(closed, { recursive: true });
}

function launch(native: string, cluster: string, socketDir: string, owner: Owner | null): ChildProcess {
  // A file, not our own stderr: the server may outlive us and must not hold our caller's pipe open.
  const log = openSync(`${cluster}.log`, 'a', 0o600);
  return spawn(
    join(native, 'bin/postgres'),
    ['-D', cluster, '-k', socketDir, ...Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
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
  throw new StartFault('LAVRA_DATA_DIR', `a PostgreSQL server holds ${cluster} but does not answer; see ${cluster}.log`);
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

/**
 * Watches the server from now on. An end that nobody wished (the system's out-of-memory killer, an administrator's hand) is
 * noticed within a second; the new server first repeats what was committed, so that nothing acknowledged is lost.
 */
function supervise(place: Place, users: ReturnType<typeof clusterUsers>, first: Running, tell: (line: string) => void): EmbeddedPostgres {
  let { pid } = first;
  let runs = watchPostmaster(place.cluster, pid);
  let released = false;
  const wake = new AbortController();
  const pause = (ms: number) => sleep(ms, undefined, { ref: false, signal: wake.signal }).catch(() => {});
  const watch = async (): Promise<void> => {
    while (!released) {
      await pause(WATCH_MS);
      if (released || (await runs())) continue;
      tell(`The embedded PostgreSQL (process ${pid}) has ended: it is started again`);
      for (let wait = 500; !released; wait = Math.min(wait * 2, LONGEST_PAUSE_MS)) {
        const again = await alone(place.cluster, () => run(place, false)).catch((error: Error) => error);
        if (!(again instanceof Error)) {
          pid = again.pid;
          runs = watchPostmaster(place.cluster, pid);
          tell(`The embedded PostgreSQL is back (process ${pid})`);
          // We were told to end while it started.
          if (released && users.isEmpty()) interrupt(pid);
          break;
        }
        tell(`The embedded PostgreSQL cannot start yet: ${again.message}`);
        await pause(wait);
      }
    }
  };
  const watching = watch();
  const release = (): boolean => {
    if (released) return false;
    released = true;
    wake.abort();
    const last = users.leave();
    if (last) interrupt(pid);
    return last;
  };
  return {
    host: place.socketDir,
    user: USER,
    adopted: first.adopted,
    release,
    async stop() {
      const last = release();
      // A server that is being started again at this moment must not outlive us.
      await watching;
      if (!last) return;
      for (let attempt = 0; attempt < 600; attempt += 1) {
        const running = await postmasterOf(place.cluster);
        if (running === null) return;
        // Another program may have started it anew in the second before we would have noticed.
        if (running !== pid) interrupt((pid = running));
        await sleep(50);
      }
    },
  };
}

/** SIGINT is PostgreSQL's fast shutdown: open transactions are rolled back, nothing needs recovery. */
function interrupt(pid: number): void {
  try {
    process.kill(pid, 'SIGINT');
  } catch {
    // It has ended already.
  }
}
