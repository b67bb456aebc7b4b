import { createHash } from 'node:crypto';
import { Kysely, PostgresDialect } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import pg from 'pg';
import * as foundation from './migrations/001-foundation.ts';
import * as signatureProcesses from './migrations/002-signature-processes.ts';
import * as awaitedStart from './migrations/003-awaited-start.ts';
import * as problemParams from './migrations/004-problem-params.ts';
import * as outsideAnswers from './migrations/005-outside-answers.ts';
import * as digitalSigning from './migrations/006-digital-signing.ts';
import * as reasonParams from './migrations/007-reason-params.ts';
import * as signatureModels from './migrations/008-signature-models.ts';
import * as accountLimits from './migrations/013-account-limits.ts';
import type { Database } from './tables.ts';

// int8 (counts, sizes) as number: nothing here comes near 2^53.
pg.types.setTypeParser(20, Number);

export type ConnectionOptions = { connectionString: string } | { host: string; user: string; database: string };

export interface DatabaseClient {
  db: Kysely<Database>;
  close(): Promise<void>;
}

const STATEMENT_NAMES_KEPT = 500;

/** Names a parameterised statement by its text, so that the server plans it once per connection. */
class NamingPool extends pg.Pool {
  readonly #names = new Map<string, string>();

  override connect(): Promise<pg.PoolClient>;
  override connect(
    callback: (error: Error | undefined, client: pg.PoolClient | undefined, done: (release?: unknown) => void) => void,
  ): void;
  override connect(
    callback?: (error: Error | undefined, client: pg.PoolClient | undefined, done: (release?: unknown) => void) => void,
  ): Promise<pg.PoolClient> | void {
    if (callback) return super.connect(callback);
    return super.connect().then((client) => this.#named(client));
  }

  #named(client: pg.PoolClient): pg.PoolClient {
    return new Proxy(client, {
      get: (target, property) => {
        if (property === 'query') return (text: unknown, values?: unknown[]) => this.#query(target, text, values);
        const value: unknown = Reflect.get(target, property, target);
        return typeof value === 'function' ? (value as (...given: unknown[]) => unknown).bind(target) : value;
      },
    });
  }

  #query(client: pg.PoolClient, text: unknown, values?: unknown[]): unknown {
    if (typeof text !== 'string' || !values || values.length === 0) return Reflect.apply(client.query, client, [text, values]);
    const name = this.#nameOf(text);
    return client.query(name ? { text, values, name } : { text, values });
  }

  #nameOf(text: string): string | null {
    const known = this.#names.get(text);
    if (known) return known;
    // Bounded: texts whose shape varies without end (long IN lists) must not fill the server's memory.
    if (this.#names.size >= STATEMENT_NAMES_KEPT) return null;
    const name = createHash('sha1').update(text).digest('base64url');
    this.#names.set(text, name);
    return name;
  }
}

export function openDatabase(options: ConnectionOptions, onError: (error: Error) => void): DatabaseClient {
  const pool = new NamingPool({ ...options, max: 20 });
  // Without a listener a restart of the server would end this process.
  pool.on('error', onError);
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  return { db, close: () => db.destroy() };
}

const migrations: Record<string, Migration> = {
  '001-foundation': foundation,
  '002-signature-processes': signatureProcesses,
  '003-awaited-start': awaitedStart,
  '004-problem-params': problemParams,
  '005-outside-answers': outsideAnswers,
  '006-digital-signing': digitalSigning,
  '007-reason-params': reasonParams,
  '008-signature-models': signatureModels,
  '013-account-limits': accountLimits,
};

/** Brings the schema up to date; several nodes may call it at once (the migrator takes an advisory lock). */
export async function migrate(db: Kysely<Database>): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(migrations) } });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
}
