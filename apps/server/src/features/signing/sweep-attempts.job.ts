import { defineJob } from '../../jobs/queue.ts';
import { signElectronicJob } from './electronic/sign-electronic.job.ts';
import { listStaleAttemptIds } from './signing.store.ts';

const STALE_MS = 10 * 60_000;

/** An attempt whose job is gone must not lock its signer out: the job is sent again. One that still waits or runs is left alone. */
export const sweepAttemptsJob = defineJob<Record<string, never>>({
  name: 'sweep-attempts',
  cron: '*/5 * * * *',
  async run(ctx) {
    const stale = await listStaleAttemptIds(ctx, new Date(ctx.clock.now().getTime() - STALE_MS));
    for (const attemptId of stale) await ctx.jobs.send(signElectronicJob, { attemptId }, { key: attemptId });
  },
});
