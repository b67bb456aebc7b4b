import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { readdir, readFile, readlink, unlink } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** True while a process has this number, whoever owns it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** The server that runs on the cluster, or null. The number in postmaster.pid alone proves nothing: it may be another program's by now. */
export async function postmasterOf(cluster: string): Promise<number | null> {
  const pid = await pidIn(join(cluster, 'postmaster.pid'));
  if (pid === null || !isAlive(pid)) return null;
  return process.platform !== 'linux' || (await worksOn(pid, cluster)) ? pid : null;
}

/**
 * Asks whether the server that runs on the cluster by this number still does: by the moment that the process began, which tells it from
 * another one with its number. It is asked each second of a program's life, so it takes one small file and no thread.
 */
export function watchPostmaster(cluster: string, pid: number): () => Promise<boolean> | boolean {
  if (process.platform !== 'linux') return async () => (await postmasterOf(cluster)) === pid;
  const began = beginningOf(pid);
  return () => began !== null && beginningOf(pid) === began;
}

/** Null: it has ended. proc_pid_stat(5): the name is in brackets and may have some, the state is next, the beginning the twentieth from there. */
function beginningOf(pid: number): string | null {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = status.slice(status.lastIndexOf(')') + 2).split(' ', 20);
    return fields[0] === 'Z' || fields[0] === 'X' ? null : (fields[19] ?? null);
  } catch {
    return null;
  }
}

/**
 * Removes locks whose process number now belongs to another program (after a reboot, a container's restart, on
 * a copied disk): PostgreSQL would refuse to start for ever. Only where it is certain that no process works on the cluster.
 */
export async function removeStaleLocks(cluster: string, socketDir: string): Promise<void> {
  if (process.platform !== 'linux' || (await hasProcesses(cluster))) return;
  for (const lock of [join(cluster, 'postmaster.pid'), join(socketDir, '.s.PGSQL.5432.lock')]) {
    const pid = await pidIn(lock);
    // The number of a dead process is PostgreSQL's own business: it also looks at shared memory.
    if (pid !== null && isAlive(pid)) await unlink(lock).catch(() => {});
  }
}

const ALONE_MS = 90_000;

/**
 * One program of ours at a time starts a cluster's server. PostgreSQL's own lock is not enough: of two that find the lock of a
 * dead server at the same moment, one may remove the new lock of the other. A name in Linux's abstract space is held by who
 * listens there and is free when that program ends, however it ends; a stranger who holds it delays us, no more.
 */
export async function alone<T>(cluster: string, act: () => Promise<T>): Promise<T> {
  const name = `\0lavra-${createHash('sha256').update(cluster).digest('hex')}`;
  const until = performance.now() + ALONE_MS;
  let held: Server | null = null;
  while (process.platform === 'linux' && !(held = await listenAt(name)) && performance.now() < until) await sleep(50);
  try {
    return await act();
  } finally {
    held?.close();
  }
}

function listenAt(name: string): Promise<Server | null> {
  return new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', () => resolve(null));
    server.listen(name, () => resolve(server.unref()));
  });
}

/** Programs of ours that use the cluster; the last one to leave stops it. */
export function clusterUsers(cluster: string) {
  const directory = `${cluster}-users`;
  const mine = join(directory, String(process.pid));
  return {
    enter(): void {
      mkdirSync(directory, { recursive: true });
      writeFileSync(mine, '');
    },
    /** True when nobody else is left. */
    leave(): boolean {
      remove(mine);
      return this.isEmpty();
    },
    isEmpty(): boolean {
      const others = existsSync(directory) ? readdirSync(directory) : [];
      for (const name of others.filter((pid) => !isAlive(Number(pid)))) remove(join(directory, name));
      return !others.some((pid) => isAlive(Number(pid)));
    },
  };
}

function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Gone already: another program tidied up.
  }
}

async function pidIn(path: string): Promise<number | null> {
  const text = await readFile(path, 'utf8').catch(() => null);
  // A server that is reached by a socket in single-user mode writes a negative number.
  const pid = Math.abs(Number(text?.split('\n')[0]));
  return Number.isInteger(pid) && pid > 0 ? pid : null;
}

/** True while any process of a server works on the cluster, also one whose postmaster is gone. */
export async function hasProcesses(cluster: string): Promise<boolean> {
  for (const name of await readdir('/proc')) if (/^\d+$/.test(name) && (await worksOn(Number(name), cluster))) return true;
  return false;
}

/** The server names the cluster in its command line; its children stand in that directory (which not everybody may look up). */
async function worksOn(pid: number, cluster: string): Promise<boolean> {
  const [status, command, directory] = await Promise.all([
    readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''),
    readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''),
    readlink(`/proc/${pid}/cwd`).catch(() => ''),
  ]);
  if (!status.includes('(postgres)') || status.includes(') Z ')) return false;
  return command.split('\0').includes(cluster) || directory === cluster;
}
