import { existsSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Config } from './config.ts';

const root = join(import.meta.dirname, '../../..');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
const startedAt = new Date(Date.now() - Math.round(performance.now()));

/** The commit that this tree is of: a release has it in the file COMMIT, a clone in its `.git`. Null: nobody knows. */
export function readCommit(folder = root): string | null {
  try {
    if (existsSync(join(folder, 'COMMIT'))) return readFileSync(join(folder, 'COMMIT'), 'utf8').trim();
    const head = readFileSync(join(folder, '.git/HEAD'), 'utf8').trim();
    const ref = /^ref: (refs\/[\w./-]+)$/.exec(head)?.[1];
    if (!ref) return head;
    if (existsSync(join(folder, '.git', ref))) return readFileSync(join(folder, '.git', ref), 'utf8').trim();
    const packed = readFileSync(join(folder, '.git/packed-refs'), 'utf8').split('\n');
    return packed.find((line) => line.endsWith(` ${ref}`))?.slice(0, 40) ?? null;
  } catch {
    return null;
  }
}

/** The program that runs here, told apart from those of other nodes. */
export function describeProgram({ profile, services }: Pick<Config, 'profile' | 'services'>) {
  return {
    name: `${hostname()}:${process.pid}`,
    version: manifest.version,
    runtime: `Node.js ${process.version}`,
    startedAt: startedAt.toISOString(),
    profile,
    services: [...services],
  };
}
