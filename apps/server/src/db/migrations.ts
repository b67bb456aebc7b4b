import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Migration } from 'kysely/migration';

const folder = join(import.meta.dirname, 'migrations');

/** What the migrations of the folder are called, by their files: `019-contract-types`. They run in the order of their numbers, each once. */
export async function migrationNames(): Promise<string[]> {
  const files = (await readdir(folder)).filter((name) => /^\d{3}-[a-z-]+\.ts$/.test(name));
  return files.map((name) => name.slice(0, -'.ts'.length)).toSorted();
}

/** Every migration of the folder, by its name. */
export async function readMigrations(): Promise<Record<string, Migration>> {
  const names = await migrationNames();
  const loaded = names.map(async (name) => [name, (await import(pathToFileURL(join(folder, `${name}.ts`)).href)) as Migration] as const);
  return Object.fromEntries(await Promise.all(loaded));
}
