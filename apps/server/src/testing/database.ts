import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, unlinkSync, writeFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pino from 'pino';
import pg from 'pg';
import { type ConnectionOptions, openDatabase } from '../db/client.ts';
import { migrate } from '../db/migrate.ts';
import { isAlive } from '../db/cluster-process.ts';
import { startEmbeddedPostgres } from '../db/embedded-postgres.ts';
import { jobs } from '../features.ts';
import { openJobQueue } from '../jobs/queue.ts';

export interface TestDatabase {
  connection: ConnectionOptions;
  drop(): Promise<void>;
}

interface Server {
  to(database: string): ConnectionOptions;
}

let server: Promise<Server> | undefined;

/**
 * A database of its own with today's schema, on the one server that all tests of this machine share: an
 * embedded one, or the one that LAVRA_TEST_DATABASE_URL names (its user must be allowed to create databases).
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { to } = await (server ??= startServer());
  const template = await ensureTemplate(to);
  const name = `lavra_test_${process.pid}_${randomUUID().replaceAll('-', '').slice(0, 16)}`;
  await run(to('postgres'), `create database ${name} template ${template}`);
  return { connection: to(name), drop: () => run(to('postgres'), `drop database if exists ${name} with (force)`) };
}

async function startServer(): Promise<Server> {
  const url = process.env['LAVRA_TEST_DATABASE_URL'];
  if (url) return { to: (database) => ({ connectionString: Object.assign(new URL(url), { pathname: `/${database}` }).href }) };
  const root = join(
    tmpdir(),
    `lavra-tests-${createHash('sha256')
      .update(import.meta.url)
      .digest('hex')
      .slice(0, 8)}`,
  );
  const started = await withFileLock(join(root, 'lock'), () => startEmbeddedPostgres(root));
  process.once('exit', () => started.release());
  const to = (database: string) => ({ host: started.host, user: started.user, database });
  await dropLeftovers(to);
  return { to };
}

/** One test program at a time prepares the shared cluster; a lock whose owner died is taken over. */
async function withFileLock<T>(path: string, act: () => Promise<T>): Promise<T> {
  mkdirSync(dirname(path), { recursive: true });
  for (;;) {
    try {
      writeFileSync(path, String(process.pid), { flag: 'wx' });
      break;
    } catch {
      const owner = Number(await readFile(path, 'utf8').catch(() => '0'));
      if (owner > 0 && !isAlive(owner)) unlinkSync(path);
      else await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  try {
    return await act();
  } finally {
    unlinkSync(path);
  }
}

/** Databases of test programs that were killed. Another one that runs may just not be connected to its own. */
async function dropLeftovers(to: Server['to']): Promise<void> {
  const rows = await query(
    to('postgres'),
    `select datname from pg_database d where datname like 'lavra\\_test\\_%' and not exists (select 1 from pg_stat_activity a where a.datname = d.datname)`,
  );
  for (const { datname } of rows) {
    const owner = Number(/^lavra_test_(\d+)_/.exec(String(datname))?.[1] ?? 0);
    if (owner === 0 || !isAlive(owner)) await run(to('postgres'), `drop database if exists ${datname as string}`).catch(() => {});
  }
}

/** The schema is made once for each state of the migrations and copied from then on. */
async function ensureTemplate(to: Server['to']): Promise<string> {
  const name = `lavra_template_${await schemaFingerprint()}`;
  const client = new pg.Client(to('postgres'));
  await client.connect();
  try {
    await client.query(`select pg_advisory_lock(hashtext('lavra:test-template'))`);
    const known = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (known.rowCount === 0) await buildTemplate(to, name);
    return name;
  } finally {
    await client.end();
  }
}

async function buildTemplate(to: Server['to'], name: string): Promise<void> {
  const unfinished = `${name}_unfinished`;
  await run(to('postgres'), `drop database if exists ${unfinished} with (force)`);
  await run(to('postgres'), `create database ${unfinished}`);
  const database = openDatabase(to(unfinished), { away: () => {}, answered: () => {} });
  await migrate(database.db);
  await database.close();
  const queue = await openJobQueue(to(unfinished), jobs, pino({ level: 'silent' }), { background: false });
  await queue.stop();
  await run(to('postgres'), `alter database ${unfinished} rename to ${name}`);
}

async function schemaFingerprint(): Promise<string> {
  const sources = fileURLToPath(new URL('../', import.meta.url));
  const migrations = join(sources, 'db/migrations');
  const paths = [
    ...(await readdir(migrations)).toSorted().map((file) => join(migrations, file)),
    join(sources, 'features.ts'),
    join(sources, 'jobs/queue.ts'),
  ];
  const hash = createHash('sha256').update(createRequire(import.meta.url).resolve('pg-boss'));
  for (const path of paths) hash.update(await readFile(path));
  hash.update(jobs.map((job) => job.name).join());
  return hash.digest('hex').slice(0, 12);
}

async function run(connection: ConnectionOptions, statement: string): Promise<void> {
  await query(connection, statement);
}

async function query(connection: ConnectionOptions, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}
