import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { type ConnectionOptions, openDatabase } from './client.ts';
import { newerData } from './migrate.ts';
import { readMigrations } from './migrations.ts';

/** What a start of this version would run, in order; changes nothing. @throws StartFault of `variable` over data of a newer version */
export async function listPendingMigrations(connection: ConnectionOptions, variable: string): Promise<string[]> {
  const client = openDatabase(connection, { away: () => {}, answered: () => {} });
  try {
    const known = await readMigrations();
    const found = await new Migrator({ db: client.db, provider: { getMigrations: async () => known } }).getMigrations();
    const pending = found.filter(({ executedAt }) => executedAt === undefined).map(({ name }) => name);
    if (pending.length === found.length) return pending;
    const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(client.db);
    const stranger = rows.find(({ name }) => !(name in known));
    if (stranger) throw newerData(variable, stranger.name);
    return pending;
  } finally {
    await client.close();
  }
}

/** What the migration says to a database that answers nothing. */
export async function statementsOf(name: string): Promise<string[]> {
  const said: string[] = [];
  const db = new Kysely<unknown>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (of) => new PostgresIntrospector(of),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    log: ({ query }) => void said.push(query.sql),
  });
  await (await readMigrations())[name]?.up(db);
  return said;
}
