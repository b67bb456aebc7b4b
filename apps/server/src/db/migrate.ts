import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { migrationNames, readMigrations } from './migrations.ts';
import { StartFault } from '../start-fault.ts';
import { isFenced } from './writing-fence.ts';
import type { Database } from './tables.ts';

/** Behind a statement that waits for a lock on a table stands everybody who only wants to read it: no migration keeps them longer. */
const LOCK_WAIT_MS = 3000;
const LOCK_TRIES = 20;
const LOCK_PAUSE_MS = 1500;
const LOCK_NOT_AVAILABLE = '55P03';
const UNDEFINED_TABLE = '42P01';

/**
 * Brings the schema up to date and tells what it ran; several nodes may call it at once (the migrator takes an advisory lock). A lock that
 * is not given within `lockWaitMs` rolls all of it back, lets the others pass, and it is tried again.
 * @throws StartFault of `variable`, which says where the data are, when a newer version has written them, or when somebody kept a lock all the time
 */
export async function migrate(
  db: Kysely<Database>,
  variable = 'DATABASE_URL',
  { lockWaitMs = LOCK_WAIT_MS, tries = LOCK_TRIES } = {},
): Promise<string[]> {
  if (await isUpToDate(db)) return [];
  const migrator = new Migrator({ db, provider: { getMigrations: () => readHasty(lockWaitMs) } });
  for (let tried = 1; ; tried += 1) {
    const { error, results } = await migrator.migrateToLatest();
    const unknown = error instanceof Error ? /previously executed migration (\S+) is missing/.exec(error.message)?.[1] : undefined;
    if (unknown) throw newerData(variable, unknown);
    if (!error) return (results ?? []).map(({ migrationName }) => migrationName);
    if (isFenced(error))
      throw new StartFault(
        variable,
        'these data are being moved, or a move was broken off: finish it, or start the version that ran here before; nothing was changed',
      );
    if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error;
    const name = results?.find(({ status }) => status === 'Error')?.migrationName ?? '';
    if (tried === tries)
      throw new StartFault(variable, `${name}: somebody holds a lock that it needs (pg_stat_activity tells who); nothing was changed`);
    await sleep(LOCK_PAUSE_MS);
  }
}

/** Most starts have nothing to change, and are told so by one statement, without a lock and with no migration loaded. */
async function isUpToDate(db: Kysely<Database>): Promise<boolean> {
  try {
    const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
    return rows.map(({ name }) => name).join() === (await migrationNames()).join();
  } catch (error) {
    // Nothing was ever migrated here.
    if ((error as { code?: string }).code === UNDEFINED_TABLE) return false;
    throw error;
  }
}

/** Every migration; none waits longer for a lock. The bound ends with the migrator's transaction. */
async function readHasty(lockWaitMs: number): Promise<Record<string, Migration>> {
  const hasty = ({ up }: Migration): Migration => ({
    async up(db) {
      await sql`select set_config('lock_timeout', ${String(lockWaitMs)}, true)`.execute(db);
      await up(db);
    },
  });
  return Object.fromEntries(Object.entries(await readMigrations()).map(([name, migration]) => [name, hasty(migration)]));
}

export const newerData = (variable: string, migration: string): StartFault =>
  new StartFault(variable, `a newer Lavra has written these data (${migration}): start that one, or a later one`);
