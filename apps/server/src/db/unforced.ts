import { sql } from 'kysely';

/**
 * Read by a statement, its commit, or that of the transaction that it stands in, is not forced to disk (asynchronous commit,
 * docs/decisions/066): a power cut within the next half second forgets it, the end of a program does not. Only for what was promised
 * to nobody, and what is made again, or entered again by the transaction that rests on it. Whatever is forced later forces this before
 * it: the log has one order.
 */
export const unforced = sql<string>`set_config('synchronous_commit', 'off', true)`;
