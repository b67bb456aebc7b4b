import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const BOOT_TRIES = 120;

/** A Debian that has just been installed: its own systemd, nothing of Node's, npm's or ours. Refuses where it cannot be made. */
export function makeDebianRoot(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const inside = '--include=systemd,systemd-sysv,dbus,ca-certificates,openssl,nginx-light,postgresql,pgbouncer';
  const made = spawnSync('mmdebstrap', ['--quiet', '--variant=minbase', inside, 'bookworm', folder], {
    encoding: 'utf8',
    timeout: 240_000,
  });
  if (made.status !== 0) throw new Error(`no Debian could be made:\n${made.stderr}`);
}

/** A machine of its own as far as processes, files and services go; the network is its host's. */
export interface DebianMachine {
  /** By its shell, as root; what was said. Throws with it when it did not work. */
  run(command: string): string;
  stop(): Promise<void>;
}

export async function bootDebian(folder: string): Promise<DebianMachine> {
  const options = ['--quiet', '--register=no', '--keep-unit', '--link-journal=no', '--resolv-conf=off', '--timezone=off', '--boot'];
  const container = spawn('systemd-nspawn', ['--directory', folder, ...options], { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [container.stdout, container.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const run = (command: string) => {
    const leader = leaderOf(container);
    if (leader === null) throw new Error(`the machine is not up:\n${said}`);
    const into = ['--target', leader, '--mount', '--uts', '--ipc', '--pid', '--root', '--wdns=/root', '--'];
    const clean = ['/usr/bin/env', '-i', 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', 'HOME=/root', 'LANG=C.UTF-8'];
    const done = spawnSync('nsenter', [...into, ...clean, '/bin/sh', '-euc', command], { encoding: 'utf8', timeout: 60_000 });
    if (done.status !== 0) throw new Error(`${command}\nended with ${done.status}:\n${done.stdout}${done.stderr}`);
    return done.stdout;
  };
  for (let attempt = 0; ; attempt += 1) {
    try {
      run('systemctl is-active --quiet multi-user.target');
      break;
    } catch (error) {
      if (attempt === BOOT_TRIES || container.exitCode !== null) throw error;
      await sleep(500);
    }
  }
  return {
    run,
    async stop() {
      const ended = once(container, 'exit');
      container.kill('SIGTERM');
      await Promise.race([ended, sleep(20_000)]);
      container.kill('SIGKILL');
    },
  };
}

/** Its first process: the child of systemd-nspawn's. */
function leaderOf(container: ChildProcess): string | null {
  try {
    return readFileSync(`/proc/${container.pid}/task/${container.pid}/children`, 'utf8').trim().split(' ')[0] || null;
  } catch {
    return null;
  }
}
