import type { Ctx } from '../context.ts';
import { DatabaseAwayError } from '../db/database-away.ts';

const EVERY_MS = 5000;

export interface Following {
  stop(): void;
}

/**
 * What one node changes for all (levels of the log, lists of authorities) each of the others reads within seconds. The steps
 * come one after another; one that fails is tried again with the next round, and what was known goes on meanwhile.
 */
export function follow(ctx: Ctx, steps: readonly ((ctx: Ctx) => Promise<void>)[], everyMs = EVERY_MS): Following {
  let isRunning = false;
  const look = async () => {
    if (isRunning) return;
    isRunning = true;
    for (const step of steps) {
      await step(ctx).catch((error: unknown) => {
        // An outage of the database is told by the pool, once.
        if (!(error instanceof DatabaseAwayError)) ctx.log.error({ err: error }, 'what other nodes changed could not be read');
      });
    }
    isRunning = false;
  };
  const timer = setInterval(() => void look(), everyMs).unref();
  return { stop: () => clearInterval(timer) };
}
