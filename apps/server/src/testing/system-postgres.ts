import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { freePort } from './free-port.ts';

/** A throw-away server of the PostgreSQL that Debian brings, reached by password over TCP like any outside one. */
export interface SystemPostgres {
  url: string;
  version: string;
  /** As an administrator does it; the modes are pg_ctl's. */
  halt(mode: 'fast' | 'immediate'): void;
  /** Starts it again after `halt`. */
  resume(): void;
  /** A copy of it by streaming, on the same computer; it is stopped first. */
  startCopy(): Promise<SystemPostgres>;
  /** Synchronous, so that it also serves at the end of a program. */
  stop(): void;
}

/** The newest installed, or undefined. */
export function systemPostgresBinaries(): string | undefined {
  const programs = globSync('/usr/lib/postgresql/*/bin/pg_ctl').map((path) => dirname(path));
  return programs.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1);
}

export async function startSystemPostgres(): Promise<SystemPostgres> {
  const binaries = systemPostgresBinaries();
  if (!binaries) throw new Error('no PostgreSQL of the system here (apt-get install postgresql)');
  const directory = ownedDirectory();
  const passwordFile = join(directory, 'password');
  const password = randomBytes(16).toString('hex');
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (owner.uid) chownSync(passwordFile, owner.uid, owner.gid);
  const tool = toolOf(binaries);
  tool('initdb', '-D', join(directory, 'data'), '-U', 'lavra', '-A', 'scram-sha-256', `--pwfile=${passwordFile}`, ...INIT);
  return runIn({ directory, binaries, password });
}

const INIT = ['-E', 'UTF8', '--locale=C.UTF-8', '-N'];

/** PostgreSQL refuses to run as root. */
const owner = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

function ownedDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'lavra-system-pg-'));
  if (owner.uid) chownSync(directory, owner.uid, owner.gid);
  return directory;
}

function toolOf(binaries: string) {
  return (name: string, ...args: string[]) =>
    execFileSync(join(binaries, name), args, { ...owner, cwd: '/', encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'] });
}

/** Starts the server whose data are in `directory`. */
async function runIn(place: { directory: string; binaries: string; password: string }): Promise<SystemPostgres> {
  const { directory, binaries, password } = place;
  const [tool, data, port] = [toolOf(binaries), join(directory, 'data'), await freePort()];
  // Programs of tests share it, each with dozens of installations; a pool lets go of what it does not need only after seconds.
  const options = `-c listen_addresses=127.0.0.1 -c port=${port} -c fsync=off -c max_connections=300 -k ${directory}`;
  // A log of its own, not our stderr: the server must not hold our caller's pipe open.
  const start = () => void tool('pg_ctl', '-D', data, '-w', '-s', '-l', join(directory, 'log'), '-o', options, 'start');
  start();
  let isRunning = true;
  const url = `postgres://lavra:${password}@127.0.0.1:${port}/postgres`;
  return {
    url,
    version: binaries.split('/').at(-2) ?? '',
    halt: (mode) => void tool('pg_ctl', '-D', data, '-w', '-s', '-m', mode, 'stop'),
    resume: start,
    startCopy() {
      const copied = ownedDirectory();
      tool('pg_basebackup', '-d', url, '-D', join(copied, 'data'), '-R', '-X', 'stream', '-c', 'fast', '-N');
      return runIn({ ...place, directory: copied });
    },
    stop() {
      if (!isRunning) return;
      isRunning = false;
      // It may be halted.
      if (existsSync(join(data, 'postmaster.pid'))) tool('pg_ctl', '-D', data, '-w', '-s', '-m', 'immediate', 'stop');
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
