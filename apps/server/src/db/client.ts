import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { DatabaseAwayError, isConnectionFault, wasNeverSent } from './database-away.ts';
import { askNamed } from './named-statement.ts';
import type { OutageLog } from './outage-log.ts';
import type { Database } from './tables.ts';

// int8 (counts, sizes) as number: nothing here comes near 2^53.
pg.types.setTypeParser(20, Number);
// date as it is written, YYYY-MM-DD: as an instant it would be another day in another zone.
pg.types.setTypeParser(1082, String);

export type ConnectionOptions = { connectionString: string } | { host: string; user: string; database: string };

export interface DatabaseClient {
  db: Kysely<Database>;
  /** Answers within seconds over a connection of its own, so that a busy pool is not taken for a database that is away. */
  ping(): Promise<void>;
  /** Its connections, and who waits for one. */
  pool(): { open: number; idle: number; waiting: number };
  close(): Promise<void>;
}

const STATEMENT_NAMES_KEPT = 500;
/**
 * Asks for whatever columns a table has: planned once, it is refused as soon as a newer version beside this one has added a column
 * ("cached plan must not change result type"). A star over one subselect, and no other, stands for the columns that it names.
 */
const STARS = /\b(?:select|returning)\s+\*|["\w]\.\*/gi;
const WITHIN = '[]';
const OVER_ONE_SUBSELECT = /\bselect\s+\*\s+from\s*\[\]\s*(?:as\s+)?\w+\s*(?:$|where\b|order\b|limit\b|for\b)/i;

/** What a statement answers is said outside of its parentheses; what stands within is planned anew when its table changes. */
function asksForAllColumns(text: string): boolean {
  let outside = text;
  for (let inside = ''; inside !== outside;) {
    inside = outside;
    outside = outside.replace(/\([^()]*\)/g, WITHIN);
  }
  const stars = (of: string) => of.match(STARS)?.length ?? 0;
  return stars(outside) > 0 && !(stars(text) === 1 && OVER_ONE_SUBSELECT.test(outside));
}
/** Until a connection is there, or free: who waits longer is told to come again. */
const CONNECT_MS = 10_000;
const PING_MS = 3000;
/** What starts every minute finds its connections still there: to open one costs the database what dozens of looks do. */
export const IDLE_CONNECTION_MS = 75_000;
/**
 * Of a connection: the kernel asks whether the other side is still there, after so long and then each second, ten times. Nothing else would
 * tell whoever waits for an answer that the server, or the way to it, has vanished without a word: the system's own two hours are too long.
 */
export const PROBED = { keepAlive: true, keepAliveInitialDelayMillis: 30_000 } as const;
/**
 * A database that is started again is back within seconds: who asks meanwhile waits for it, and nobody has to ask twice. Of one that is
 * away for longer everybody is told at once.
 */
const RESTART_MS = 5000;
const AGAIN_MS = 100;

type Connect = (error: Error | undefined, client: pg.PoolClient | undefined, done: (release?: unknown) => void) => void;

/**
 * Names a parameterised statement by its text, so that the server plans it once per connection, and tells faults of the
 * connection from those of a statement.
 */
class ProductPool extends pg.Pool {
  readonly #names = new Map<string, string>();
  readonly #lent = new WeakMap<pg.PoolClient, LentClient>();
  readonly #outage: OutageLog;
  readonly #isNamed: boolean;
  readonly #restartMs: number;
  /** Since when no connection could be had, `performance.now()`. */
  #awaySince: number | null = null;

  constructor(options: pg.PoolConfig, outage: OutageLog, { named, restartMs }: { named: boolean; restartMs: number }) {
    super(options);
    this.#outage = outage;
    this.#isNamed = named;
    this.#restartMs = restartMs;
    // The pool listens to its idle connections only. One that ends while it is lent out, between two statements, would
    // find nobody and end this process.
    this.on('connect', (client) => client.on('error', (error) => outage.away(error)));
    this.on('error', (error) => outage.away(error));
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Connect): void;
  override connect(callback?: Connect): Promise<pg.PoolClient> | void {
    if (callback) return super.connect(callback);
    return this.#lend(performance.now());
  }

  /** Nothing was sent yet: to try again is safe, whatever is meant to be done. */
  async #lend(asked: number): Promise<pg.PoolClient> {
    for (;;) {
      try {
        const client = await new Promise<pg.PoolClient>((resolve, reject) => {
          super.connect((error, lent) => (lent ? resolve(lent) : reject(error ?? new Error('no connection'))));
        });
        this.#awaySince = null;
        return this.#watched(client);
      } catch (error) {
        const fault = this.#faultOf(error, false);
        const now = performance.now();
        this.#awaySince ??= now;
        if (!(fault instanceof DatabaseAwayError) || this.ending || now - Math.min(asked, this.#awaySince) > this.#restartMs) throw fault;
      }
      await sleep(AGAIN_MS);
    }
  }

  /** One for each connection, however often it is lent: whoever asks through it keeps what belongs to it. */
  #watched(client: pg.PoolClient): pg.PoolClient {
    const known = this.#lent.get(client) ?? new LentClient(client, (text, values) => this.#query(client, text, values));
    this.#lent.set(client, known);
    return known as unknown as pg.PoolClient;
  }

  async #query(client: pg.PoolClient, text: string, values: readonly unknown[] | undefined): Promise<unknown> {
    const lent = this.#lent.get(client);
    if (lent && /^(begin|start transaction)\b/.test(text)) lent.isInTransaction = true;
    const wasInTransaction = lent?.isInTransaction ?? false;
    if (lent && (text === 'commit' || text === 'rollback')) lent.isInTransaction = false;
    try {
      const answer = await this.#send(client, text, values);
      this.#outage.answered();
      return answer;
    } catch (error) {
      if (lent && isConnectionFault(error)) lent.isBroken = true;
      // The server rolls back what a connection leaves open; a second fault would hide the first one.
      if (text === 'rollback' && isConnectionFault(error)) return { command: 'ROLLBACK', rowCount: null, rows: [], fields: [] };
      const isLasting = text === 'commit' || !(wasInTransaction || /^\s*select\b/i.test(text));
      throw this.#faultOf(error, isLasting && !wasNeverSent(error));
    }
  }

  #send(client: pg.PoolClient, text: string, values: readonly unknown[] | undefined): Promise<unknown> {
    if (!values || values.length === 0) return client.query(text);
    const name = this.#nameOf(text);
    return name ? askNamed(client, name, text, values) : client.query({ text, values: values as unknown[] });
  }

  #faultOf(error: unknown, outcomeUnknown: boolean): unknown {
    if (!isConnectionFault(error)) return error;
    this.#outage.away(error);
    return new DatabaseAwayError(error, outcomeUnknown);
  }

  #nameOf(text: string): string | null {
    if (!this.#isNamed) return null;
    const known = this.#names.get(text);
    if (known) return known;
    // Bounded: texts whose shape varies without end (long IN lists) must not fill the server's memory.
    if (this.#names.size >= STATEMENT_NAMES_KEPT || asksForAllColumns(text)) return null;
    const name = createHash('sha1').update(text).digest('base64url');
    this.#names.set(text, name);
    return name;
  }
}

/** What a connection is lent as: the one way to ask through it, and to give it back. */
class LentClient {
  readonly #client: pg.PoolClient;
  readonly query: (text: string, values?: readonly unknown[]) => Promise<unknown>;
  isInTransaction = false;
  isBroken = false;

  constructor(client: pg.PoolClient, query: LentClient['query']) {
    this.#client = client;
    this.query = query;
  }

  /** The last words of a server may come before the end of the connection: nobody else gets it meanwhile. */
  release(error?: Error | boolean): void {
    this.#client.release(error || this.isBroken);
  }
}

/**
 * `named`: false behind a pooler that lends another connection for each transaction, where a name that was given is not known.
 * `connectMs`: until a connection is there; `answerMs`: until a statement is answered, none: however long it takes; `restartMs`: how long
 * a database that went away is waited for.
 */
export function openDatabase(
  options: ConnectionOptions,
  outage: OutageLog,
  {
    named = true,
    connectMs = CONNECT_MS,
    answerMs,
    restartMs = RESTART_MS,
  }: { named?: boolean; connectMs?: number; answerMs?: number; restartMs?: number } = {},
): DatabaseClient {
  const bounds = { connectionTimeoutMillis: connectMs, ...(answerMs === undefined ? {} : { query_timeout: answerMs }) };
  const pool = new ProductPool({ ...options, ...bounds, max: 20, ...PROBED, idleTimeoutMillis: IDLE_CONNECTION_MS }, outage, {
    named,
    restartMs,
  });
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  const pings = new pg.Pool({ ...options, max: 1, connectionTimeoutMillis: PING_MS, query_timeout: PING_MS });
  pings.on('error', (error) => outage.away(error));
  let closed: Promise<unknown> | undefined;
  return {
    db,
    async ping() {
      await pings.query('select 1').catch((error: unknown) => {
        if (isConnectionFault(error)) outage.away(error);
        throw error;
      });
      outage.answered();
    },
    pool: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: () => (closed ??= Promise.all([db.destroy(), pings.end()])).then(() => {}),
  };
}
