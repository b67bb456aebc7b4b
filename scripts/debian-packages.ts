import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Installs Debian packages that are not there, by a file that shows each (`*` stands for any version); the names of those that
 * are missing afterwards.
 */
export function installMissing(packages: Readonly<Record<string, string>>): string[] {
  const areMissing = () =>
    Object.entries(packages)
      .filter(([, shownBy]) => globSync(shownBy).length === 0)
      .map(([name]) => name);
  const missing = areMissing();
  if (missing.length === 0) return [];
  const isRoot = process.getuid?.() === 0;
  const sudo = isRoot ? [] : ['sudo', '-n'];
  const run = (...args: string[]) => {
    // Several parts of a run may want something at one moment: whoever comes second waits.
    const [command = '', ...rest] = [...sudo, 'flock', join(tmpdir(), 'lavra-apt.lock'), ...args];
    return spawnSync(command, rest, { stdio: ['ignore', 2, 2], env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }).status === 0;
  };
  process.stderr.write(`Instalando ${missing.join(', ')}…\n`);
  if (run('apt-get', 'update', '-q')) run('apt-get', 'install', '-y', '-q', '--no-install-recommends', ...missing);
  return areMissing();
}
