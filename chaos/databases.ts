import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemPostgresBinaries } from '../apps/server/src/testing/system-postgres.ts';

/** A PostgreSQL outside of the product, which the run stops, restarts and shoots at as an operator or a fault would. */
export interface OutsideDatabase {
  url: string;
  restart(mode: 'fast' | 'immediate'): void;
  /** Away for so long. */
  pause(milliseconds: number): Promise<void>;
  /** Ends every connection, in the middle of whatever it does. */
  terminateBackends(): void;
  stop(): void;
}

/** Null where Debian's PostgreSQL is not installed. */
export function startOutsideDatabase(directory: string, port: number): OutsideDatabase | null {
  const binaries = systemPostgresBinaries();
  if (!binaries) return null;
  const owner = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const home = join(directory, 'postgres');
  const [data, passwordFile] = [join(home, 'data'), join(home, 'password')];
  const password = randomBytes(16).toString('hex');
  mkdirSync(home, { mode: 0o700 });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (owner.uid) for (const path of [home, passwordFile]) chownSync(path, owner.uid, owner.gid);
  const tool = (name: string, ...args: string[]) =>
    execFileSync(join(binaries, name), args, { ...owner, cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] });
  tool('initdb', '-D', data, '-U', 'lavra', '-A', 'scram-sha-256', `--pwfile=${passwordFile}`, '-E', 'UTF8', '--locale=C.UTF-8');
  // Synchronous commits as in production: what is acknowledged has to outlive `immediate`.
  const options = `-c listen_addresses=127.0.0.1 -c port=${port} -k ${home}`;
  const control = (...args: string[]) => tool('pg_ctl', '-D', data, '-w', '-s', '-l', join(home, 'log'), '-o', options, ...args);
  control('start');
  const sql = (text: string) =>
    spawnSync(join(binaries, 'psql'), ['-h', '127.0.0.1', '-p', String(port), '-U', 'lavra', '-d', 'postgres', '-c', text], {
      env: { ...process.env, PGPASSWORD: password },
      stdio: 'ignore',
    });
  sql('create database lavra');
  const stop = () => {
    // Gone with its directory, when the run was clean.
    if (existsSync(join(data, 'postmaster.pid'))) control('-m', 'immediate', 'stop');
  };
  process.once('exit', stop);
  return {
    url: `postgres://lavra:${password}@127.0.0.1:${port}/lavra`,
    restart: (mode) => void control('-m', mode, 'restart'),
    async pause(milliseconds) {
      control('-m', 'fast', 'stop');
      await sleep(milliseconds);
      control('start');
    },
    terminateBackends: () => void sql("select pg_terminate_backend(pid) from pg_stat_activity where datname = 'lavra'"),
    stop,
  };
}

/** Kills the embedded server's postmaster as the kernel does when memory runs out; false when there was none. */
export function killPostmaster(dataDir: string): boolean {
  try {
    const pid = Number(readFileSync(join(dataDir, 'pg18/postmaster.pid'), 'utf8').split('\n')[0]);
    process.kill(pid, 'SIGKILL');
    return true;
  } catch {
    return false;
  }
}

/** The cluster may stand outside the data directory, where its owner can get to. */
export function removeCluster(dataDir: string): void {
  const link = join(dataDir, 'pg18');
  try {
    rmSync(dirname(readlinkSync(link)), { recursive: true, force: true });
  } catch {
    // It stands inside.
  }
}

/** A small disk of its own for the blobs, so that it can be filled; null where mounting is not allowed. */
export function mountSmallDisk(path: string, megabytes: number): { fill(): void; free(): void; unmount(): void } | null {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0700`, 'lavra-chaos', path], { stdio: 'ignore' });
  if (mounted.status !== 0) return null;
  const filler = join(path, 'filler');
  return {
    fill: () => void spawnSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=64k'], { stdio: 'ignore' }),
    free: () => rmSync(filler, { force: true }),
    unmount: () => {
      if (existsSync(path)) spawnSync('umount', ['-l', path], { stdio: 'ignore' });
    },
  };
}
