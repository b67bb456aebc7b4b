import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Config } from './config.ts';

const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8')) as { version: string };
const startedAt = new Date(Date.now() - Math.round(performance.now()));

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
