import { Kysely, PostgresDialect } from 'kysely';
import { Migrator } from 'kysely/migration';
import pg from 'pg';
import type { ConnectionOptions } from '../../db/client.ts';
import { copyIn } from '../../db/copy-stream.ts';
import { readMigrations } from '../../db/migrations.ts';
import type { Database } from '../../db/tables.ts';
import { claimAlone } from '../../installation/presence.ts';
import { StartFault } from '../../start-fault.ts';
import { columnsOf, PLAIN, quoted, type Snapshot, type SnapshotTable } from './snapshot.ts';

const OWN = `c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
  and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')`;

/**
 * Puts a snapshot into an empty database, in one transaction: the schema as it was made then, the rows, the references, which are
 * checked over all rows, and what has come to the schema since. Killed before its end it leaves the database as empty as it was.
 * `judge` may look before the commit. The schema of jobs has to be there: it is the queue's own business. Answers the migrations
 * that a snapshot of an older schema went through.
 * @throws StartFault when the database is not empty, or the snapshot is of a newer version
 */
export async function loadSnapshot(
  connection: ConnectionOptions,
  snapshot: Snapshot,
  variable: string,
  judge: (db: Kysely<Database>) => Promise<void>,
): Promise<string[]> {
  const presence = await claimAlone(connection);
  if (!presence) throw new StartFault(variable, 'Lavra runs over this database: it is not an empty one');
  const client = new pg.Client({ ...connection, application_name: 'lavra moving' });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query(PLAIN);
    await client.query('begin');
    await assertEmptyDatabase(client, variable);
    const db = overOneClient(client);
    const migrator = await makeSchema(db, snapshot);
    await fill(client, snapshot);
    const { error, results = [] } = await migrator.migrateToLatest();
    if (error) throw error;
    await judge(db);
    await client.query('commit');
    // All is there: who counts the rows later plans better, and that is all.
    await client.query('analyze').catch(() => {});
    return results.map(({ migrationName }) => migrationName);
  } finally {
    await client.end().catch(() => {});
    await presence.leave();
  }
}

/** @throws StartFault */
export async function assertEmptyDatabase(client: pg.Client, variable: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(`select c.relname as name from pg_class c where ${OWN} limit 1`);
  if (rows[0]) throw new StartFault(variable, `this database is not empty (it has the table ${rows[0].name}): nothing was changed`);
}

/** The house's own builder over a connection whose transaction is somebody else's. */
function overOneClient(client: pg.Client): Kysely<Database> {
  const lent = new Proxy(client, {
    get: (target, property) => {
      if (property === 'release') return () => {};
      const value: unknown = Reflect.get(target, property, target);
      return typeof value === 'function' ? (value as (...given: unknown[]) => unknown).bind(target) : value;
    },
  }) as unknown as pg.PoolClient;
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool: { options: {}, connect: async () => lent, end: async () => {} } }) });
}

async function makeSchema(db: Kysely<Database>, { facts }: Snapshot): Promise<Migrator> {
  const known = await readMigrations();
  const names = Object.keys(known).toSorted();
  const stranger = facts.migrations.find((name, index) => names[index] !== name);
  const last = facts.migrations.at(-1);
  if (stranger !== undefined || last === undefined)
    throw new StartFault('backup', `a newer Lavra has written these data (${stranger ?? '?'}): restore them with that one, or a later one`);
  // One transaction is around all of it already.
  const migrator = new Migrator({ db, provider: { getMigrations: async () => known }, disableTransactions: true });
  const { error } = await migrator.migrateTo(last);
  if (error) throw error;
  return migrator;
}

async function fill(client: pg.Client, snapshot: Snapshot): Promise<void> {
  const { rows: references } = await client.query<{ owner: string; name: string; definition: string }>(
    `select con.conrelid::regclass::text as owner, con.conname as name, pg_get_constraintdef(con.oid) as definition
     from pg_constraint con join pg_class c on c.oid = con.conrelid where con.contype = 'f' and ${OWN}`,
  );
  const { rows: made } = await client.query<{ name: string; plain: string }>(
    `select c.oid::regclass::text as name, c.relname as plain from pg_class c where ${OWN}`,
  );
  assertOurTables(snapshot, new Set(made.map(({ plain }) => plain)));
  for (const { owner, name } of references) await client.query(`alter table ${owner} drop constraint ${quoted(name)}`);
  // What triggers would compute stands in the rows; and some of them keep rows from being removed.
  for (const { name } of made) await client.query(`alter table ${name} disable trigger user`);
  await client.query(`truncate ${made.map(({ name }) => name).join(', ')}`);
  for (const table of snapshot.facts.tables) {
    if (table.schema === 'pgboss') await fillJobs(client, snapshot, table);
    else await copyIn(client, `copy ${quoted(table.name)} (${columnsOf(table)}) from stdin`, snapshot.read(table));
  }
  for (const { name } of made) await client.query(`alter table ${name} enable trigger user`);
  for (const { owner, name, definition } of references)
    await client.query(`alter table ${owner} add constraint ${quoted(name)} ${definition}`);
  for (const { name, value } of snapshot.facts.sequences) await client.query('select setval($1::regclass, $2)', [quoted(name), value]);
}

/** Whoever wrote a backup names tables of ours and no others: the server's own are tables too, and embedded we may write into them. */
function assertOurTables({ facts }: Snapshot, ours: ReadonlySet<string>): void {
  const stranger = facts.tables.find(({ schema, name }) => (schema === 'pgboss' ? name !== 'job' : !ours.has(name)));
  if (stranger) throw new StartFault('backup', `it has a table that is none of Lavra's (${stranger.name}): nothing was changed`);
}

/**
 * Jobs that waited go on. The queue's schema is of this version whatever the snapshot's was: columns that both know are taken, and
 * jobs of queues that are no more stay behind.
 */
async function fillJobs(client: pg.Client, snapshot: Snapshot, table: SnapshotTable): Promise<void> {
  const { rows } = await client.query<{ name: string; type: string }>(
    `select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
     where attrelid = 'pgboss.job'::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
  );
  const types = new Map(rows.map(({ name, type }) => [name, type]));
  await client.query(
    `create temporary table taken_job (${table.columns.map((name) => `${quoted(name)} ${types.get(name) ?? 'text'}`).join(', ')}) on commit drop`,
  );
  await copyIn(client, `copy taken_job (${columnsOf(table)}) from stdin`, snapshot.read(table));
  const both = table.columns
    .filter((name) => types.has(name))
    .map(quoted)
    .join(', ');
  await client.query(`insert into pgboss.job (${both}) select ${both} from taken_job where name in (select name from pgboss.queue)`);
}
