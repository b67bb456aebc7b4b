import type { Ctx } from '../context.ts';
import { DatabaseAwayError } from '../db/database-away.ts';
import { loggerFor } from '../loggers.ts';
import { defineJob, type Job } from './queue.ts';

type Sweep = Job<Record<string, never>>;

/**
 * What is done each minute, one after the other, as one job: five by themselves were fifty rows and statements of the queue a minute, for which an
 * installation that rests did most of its work. One that fails keeps none after it from being done; the first fault is thrown at the end, and
 * all of them are tried again, as each acts once however often it runs.
 */
export function eachMinuteJob(sweeps: readonly Sweep[]): Sweep {
  return defineJob({
    name: 'each-minute',
    isEachMinute: true,
    async run(ctx) {
      const faults: unknown[] = [];
      for (const sweep of sweeps) await sweeping(ctx, sweep).catch((error: unknown) => faults.push(error));
      if (faults.length > 0) throw faults[0];
    },
  });
}

/** Told in metrics and log by its own name. */
async function sweeping(ctx: Ctx, { name, run }: Sweep): Promise<void> {
  const began = performance.now();
  try {
    await run(ctx, {});
    ctx.metrics.ran(name, performance.now() - began, true);
  } catch (error) {
    ctx.metrics.ran(name, performance.now() - began, false);
    if (!(error instanceof DatabaseAwayError))
      loggerFor(ctx.log, 'jobs').error({ err: error, job: name }, 'what is done each minute failed');
    throw error;
  }
}
