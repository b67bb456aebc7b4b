import type { Ctx } from '../context.ts';
import { DatabaseAwayError } from '../db/database-away.ts';

/**
 * Handles each of them by itself: one that fails is logged and keeps none after it from being handled. The first fault is
 * thrown at the end, so that the job shows it. A database that is away fails them all and is waited for (jobs/queue.ts).
 */
export async function eachByItself<Item>(ctx: Ctx, items: readonly Item[], handle: (item: Item) => Promise<unknown>): Promise<void> {
  const faults: unknown[] = [];
  for (const item of items) {
    try {
      await handle(item);
    } catch (error) {
      if (error instanceof DatabaseAwayError) throw error;
      ctx.log.warn({ err: error }, 'one of many was not handled');
      faults.push(error);
    }
  }
  if (faults.length > 0) throw faults[0];
}
