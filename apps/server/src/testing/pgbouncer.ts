import { type ChildProcess, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './free-port.ts';

const PROGRAM = '/usr/sbin/pgbouncer';

/** Whether Debian's PgBouncer is here. */
export const hasPgBouncer = (): boolean => existsSync(PROGRAM);

export interface PgBouncer {
  /** The address of a database, through the pooler. */
  to(url: string): string;
  stop(): Promise<void>;
}

/** Debian's PgBouncer in front of a server, lending its few connections for one transaction at a time. */
export async function startPgBouncer(url: string): Promise<PgBouncer> {
  const target = new URL(url);
  const directory = mkdtempSync(join(tmpdir(), 'lavra-pgbouncer-'));
  const port = await freePort();
  const [settings, users] = [join(directory, 'pgbouncer.ini'), join(directory, 'users')];
  writeFileSync(users, `"${target.username}" "${target.password}"\n`, { mode: 0o600 });
  writeFileSync(
    settings,
    `[databases]\n* = host=${target.hostname} port=${target.port}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${port}\n` +
      `unix_socket_dir =\nauth_type = scram-sha-256\nauth_file = ${users}\npool_mode = transaction\ndefault_pool_size = 3\nmax_client_conn = 200\n`,
  );
  // It refuses to run as root.
  const owner = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  if (owner.uid) for (const path of [directory, settings, users]) chownSync(path, owner.uid, owner.gid);
  const program = spawn(PROGRAM, ['-q', settings], { ...owner, stdio: 'ignore' });
  await listens(port, program);
  return {
    to: (database) => Object.assign(new URL(database), { port: String(port), hostname: '127.0.0.1' }).href,
    async stop() {
      const ended = new Promise((resolve) => program.once('exit', resolve));
      program.kill('SIGKILL');
      await ended;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

async function listens(port: number, program: ChildProcess): Promise<void> {
  for (;;) {
    if (program.exitCode !== null) throw new Error(`PgBouncer ended with ${program.exitCode}`);
    const isThere = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => (socket.destroy(), resolve(true)));
      socket.once('error', () => resolve(false));
    });
    if (isThere) return;
    await sleep(50);
  }
}
