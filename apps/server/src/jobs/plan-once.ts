import { createHash } from 'node:crypto';
import type pg from 'pg';

/** What the queue asks for each job that it hands out: what is due, taken, done, or still alive. */
const ASKED_OFTEN = /^\s*(?:with\s+(?:next|results|active_group_count_map)\b|select line as name\b)/i;

/** A plan that is made while nothing waits is kept while thousands do: by the indexes in both, in whose order the jobs are handed out. */
export const PLANNED_FOR_MANY = 'set enable_seqscan to off; set enable_bitmapscan to off; set enable_sort to off';

const NAMES_KEPT = 500;
/** "cached plan must not change result type": a newer version beside this one has changed the queue's tables. */
const OTHER_COLUMNS = '0A000';

type Answered = (error: (Error & { code?: string }) | undefined, result: unknown) => void;
type Ask = (...given: unknown[]) => unknown;

/** Has what is asked often planned once on this connection: planning took twice what running it does (docs/decisions/075). */
export function planOnce(client: pg.ClientBase): void {
  // Of all clients, as it is when it is asked.
  const query: Ask = (...given) => Reflect.apply((Object.getPrototypeOf(client) as { query: Ask }).query, client, given);
  const names = new Map<string, string | null>();
  const nameOf = (text: string): string | null => {
    const known = names.get(text);
    if (known !== undefined) return known;
    if (names.size >= NAMES_KEPT || !ASKED_OFTEN.test(text)) return null;
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
