import { sql } from 'kysely';
import type { Tx } from '../context.ts';

/**
 * Read by a statement outside of a transaction, its commit is not forced to disk (asynchronous commit, docs/decisions/066): a power cut
 * within the next half second forgets it, the end of a program does not. Only for what was promised to nobody, and what is made
 * again, or entered again by the transaction that rests on it. Whatever is forced later forces this before it: the log has one order.
 */
export const unforced = sql<string>`set_config('synchronous_commit', 'off', true)`;

/** The same for a whole transaction: that of a job which, forgotten, runs again, because its own end is forgotten with it. */
export async function leaveUnforced(tx: Tx): Promise<void> {
  await sql`set local synchronous_commit to off`.execute(tx.db);
}
