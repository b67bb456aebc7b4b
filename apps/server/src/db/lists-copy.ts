import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { Logger } from 'pino';
import { StartFault } from '../start-fault.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { DatabaseClient } from './client.ts';
import { DatabaseAwayError } from './database-away.ts';
import type { Database } from './tables.ts';

/** Why lists are read from the database itself. `behind`: the copy does not have yet what was committed; `other`: it is a copy of nothing here. */
type CopyFault = 'away' | 'behind' | 'other';

/** A copy of the database by streaming, from which lists are read. */
export interface ListsCopy {
  /**
   * Reads over the copy if it has everything that anybody was told is done when this is called, else over the database itself: what a
   * list shows is never older than what its reader knows. `read` only reads, and may be called twice.
   */
  read<T>(read: (db: Kysely<Database>) => Promise<T>): Promise<T>;
  /** Null while lists are read from it. */
  fault(): CopyFault | null;
  /** How many lists were read from which of the two since the program's start. */
  counts(): { copy: number; database: number };
}

/** A copy on the same network is a few milliseconds behind: nobody notices that he waits for it. */
const WAITS_MS = [1, 2, 4, 8, 16, 32];
/** Nobody waits anew for a copy that had a fault just now. */
const LEFT_ALONE_MS = 5000;
const REMIND_MS = 60_000;
/** A list whose rows the database wants to clean away on its copy is cut off there (serialization_failure, hot standby conflict). */
const CONFLICT = '40001';

/** How far the database's log is on the disk, and on which of its lines: a server that takes another's place begins a new one. */
interface Place {
  identity: string;
  line: number;
  flushed: string;
}

interface CopyState {
  identity: string;
  line: number;
  isCopy: boolean;
  /** It has written that much of the log into its tables. */
  has: boolean;
}

/**
 * Whether a copy is near enough is not guessed from clocks: the database says how far its log was on the disk when a list was asked
 * for, and the copy is asked whether it has replayed that much of the same line (PostgreSQL: pg_current_wal_flush_lsn,
 * pg_last_wal_replay_lsn). After another server has taken the place of the first, a copy tells of the new line with its next checkpoint.
 */
export function openListsCopy(main: Kysely<Database>, copy: DatabaseClient, log: Logger): ListsCopy {
  const counted = { copy: 0, database: 0 };
  let fault: { reason: CopyFault; until: number; told: number } | null = null;
  const fail = (reason: CopyFault, error?: unknown) => {
    const now = performance.now();
    const isNew = fault?.reason !== reason;
    const told = isNew || now - (fault?.told ?? 0) > REMIND_MS;
    if (told) log.warn({ reason, ...(error instanceof Error ? { cause: error.message } : {}) }, 'lists are not read from their copy');
    fault = { reason, until: now + LEFT_ALONE_MS, told: told ? now : (fault?.told ?? now) };
  };
  const heal = () => {
    if (fault) log.info('lists are read from their copy again');
    fault = null;
  };
  return {
    counts: () => counted,
    fault: () => fault?.reason ?? null,
    async read(read) {
      if (!fault || performance.now() > fault.until) {
        try {
          const reason = await judgeCopy(main, copy.db);
          if (reason) fail(reason);
          else {
            const answer = await read(copy.db);
            heal();
            counted.copy += 1;
            return answer;
          }
        } catch (error) {
          const isAway = error instanceof DatabaseAwayError;
          if (!isAway && (error as { code?: string }).code !== CONFLICT) throw error;
          if (isAway) fail('away', error);
        }
      }
      counted.database += 1;
      return read(main);
    },
  };
}

/** Null: whatever was committed before this was called is there. @throws DatabaseAwayError */
async function judgeCopy(main: Kysely<Database>, copy: Kysely<Database>): Promise<CopyFault | null> {
  const place = await placeOf(main);
  for (const wait of [0, ...WAITS_MS]) {
    if (wait > 0) await sleep(wait);
    const state = await stateOf(copy, place.flushed);
    if (!state.isCopy || state.identity !== place.identity) return 'other';
    if (state.has && state.line === place.line) return null;
  }
  return 'behind';
}

/** A database is known by the number that its server was given when it was made, and its own in there: a copy has both. */
const identity = sql<string>`(select (select system_identifier from pg_control_system())::text || ' ' || oid from pg_database where datname = current_database())`;

async function placeOf(main: Kysely<Database>): Promise<Place> {
  const { rows } = await sql<Place>`
    select ${identity} as identity, flushed::text as flushed, ('x' || left(pg_walfile_name(flushed), 8))::bit(32)::int as line
    from pg_current_wal_flush_lsn() as flushed`.execute(main);
  return rows[0] as Place;
}

async function stateOf(copy: Kysely<Database>, flushed: string): Promise<CopyState> {
  const { rows } = await sql<CopyState>`
    select ${identity} as identity, pg_is_in_recovery() as "isCopy", coalesce(pg_last_wal_replay_lsn() >= ${flushed}::pg_lsn, false) as has,
      greatest((select timeline_id from pg_control_checkpoint()), (select min_recovery_end_timeline from pg_control_recovery())) as line`.execute(
    copy,
  );
  return rows[0] as CopyState;
}

/** One that is away now may be a copy; one that answers and is none never will be. @throws StartFault */
export async function assertCopy(main: Kysely<Database>, copy: Kysely<Database>): Promise<void> {
  const reason = await judgeCopy(main, copy).catch((error: unknown) => {
    if (error instanceof DatabaseAwayError) return null;
    throw error;
  });
  if (reason === 'other') throw new StartFault('DATABASE_LISTS_URL', 'leads to no copy by streaming of the database of DATABASE_URL');
}

/** From where lists were read, for who reads the metrics. */
export function countLists(metrics: Pick<Metrics, 'gauge'>, copy: ListsCopy): void {
  metrics.gauge(
    'lavra_lists_read',
    'Lists read from the copy of the database, and from the database itself',
    () => Object.entries(copy.counts()),
    'from',
  );
}
