import { createHash } from 'node:crypto';
import type pg from 'pg';

/** One statement that may be kept: several in one text, and what is neither read nor written by it, cannot. */
const ONE_STATEMENT = /^\s*(?:with|select|insert|update|delete)\b[^;]*;?\s*$/i;

/**
 * A plan that is made while nothing waits is kept while thousands do: by the indexes in both, in whose order the jobs are handed out. It is the same whatever
 * the values are: the database makes one for the values of each of the first five times, and most programs rest for hours between five minutes. What may not be
 * counts as ten thousand millions before PostgreSQL 18, and for as much a database that can compiles the plan, each time that it runs: a third of a second for a millisecond's work.
 */
export const PLANNED_FOR_MANY =
  'set enable_seqscan to off; set enable_bitmapscan to off; set enable_sort to off; set plan_cache_mode to force_generic_plan; set jit to off';

const NAMES_KEPT = 500;
/** "cached plan must not change result type": a newer version beside this one has changed the queue's tables. */
const OTHER_COLUMNS = '0A000';

type Answered = (error: (Error & { code?: string }) | undefined, result: unknown) => void;
type Ask = (...given: unknown[]) => unknown;

/** Has what is asked planned once on this connection: planning takes from twice to ten times what running it does (docs/decisions/075). */
export function planOnce(client: pg.ClientBase): void {
  // Of all clients, as it is when it is asked.
  const query: Ask = (...given) => Reflect.apply((Object.getPrototypeOf(client) as { query: Ask }).query, client, given);
  const names = new Map<string, string | null>();
  const nameOf = (text: string): string | null => {
    const known = names.get(text);
    if (known !== undefined) return known;
    if (names.size >= NAMES_KEPT || !ONE_STATEMENT.test(text)) return null;
    const name = createHash('sha1').update(text).digest('base64url');
    names.set(text, name);
    return name;
  };
  const once: Ask = (text, values, answered) => {
    const name = typeof text === 'string' && typeof answered === 'function' ? nameOf(text) : null;
    if (name === null) return query(text, values, answered);
    const checked: Answered = (error, result) => {
      if (error?.code === OTHER_COLUMNS) names.set(text as string, null);
      (answered as Answered)(error, result);
    };
    return query({ name, text, values }, checked);
  };
  client.query = once as unknown as typeof client.query;
}
