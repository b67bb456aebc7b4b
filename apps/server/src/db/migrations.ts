import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Migration } from 'kysely/migration';

const folder = join(import.meta.dirname, 'migrations');

/** Every migration of the folder, by the name of its file: `019-contract-types`. They run in the order of their numbers, each once. */
export async function readMigrations(): Promise<Record<string, Migration>> {
  const names = (await readdir(folder)).filter((name) => /^\d{3}-[a-z-]+\.ts$/.test(name)).toSorted();
  const loaded = names.map(async (name) => [name.slice(0, -3), (await import(`./migrations/${name}`)) as Migration] as const);
  return Object.fromEntries(await Promise.all(loaded));
}
