import { defineJob } from '../../jobs/queue.ts';
import { failStaleAttempts } from './signing.store.ts';

const STALE_MS = 10 * 60_000;

/** An attempt whose job is gone for good must not lock its signer out. */
export const sweepAttemptsJob = defineJob<Record<string, never>>({
  name: 'sweep-attempts',
  cron: '*/5 * * * *',
  run: (ctx) => failStaleAttempts(ctx, new Date(ctx.clock.now().getTime() - STALE_MS)),
});
