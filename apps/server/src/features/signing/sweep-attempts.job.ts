import { defineJob } from '../../jobs/queue.ts';
import { isClockBehind } from '../clock/clock-watch.ts';
import { listOverdueAttemptIds, listStaleCloudAttemptIds } from './cloud/cloud.store.ts';
import { endAuthorization } from './cloud/end-authorization.ts';
import { signCloudJob } from './cloud/sign-cloud.job.ts';
import { removeOldDrawings } from './drawings.store.ts';
import { signElectronicJob } from './electronic/sign-electronic.job.ts';
import { completeLocalJob } from './local/complete-local.job.ts';
import { listStaleAttemptIds } from './signing.store.ts';

const STALE_MS = 10 * 60_000;
/** With a token that is over nothing is waited for. */
const STALE_CLOUD_MS = 60_000;

/**
 * Reconciliation: an attempt whose job is gone must not lock its signer out, so the job is sent again. One that still waits or runs is left alone.
 * A holder, or a drawing, that was waited for in vain is waited for no longer.
 */
export const sweepAttemptsJob = defineJob<Record<string, never>>({
  name: 'sweep-attempts',
  async run(ctx) {
    if (await isClockBehind(ctx)) return;
    const ago = (ms: number) => new Date(ctx.clock.now().getTime() - ms);
    const stale = await listStaleAttemptIds(ctx, 'electronic', ago(STALE_MS));
    for (const attemptId of stale) await ctx.jobs.send(signElectronicJob, { attemptId }, { key: attemptId });
    const staleHere = await listStaleAttemptIds(ctx, 'local', ago(STALE_MS));
    for (const attemptId of staleHere) await ctx.jobs.send(completeLocalJob, { attemptId }, { key: attemptId });
    const staleInCloud = await listStaleCloudAttemptIds(ctx, ago(STALE_CLOUD_MS));
    for (const attemptId of staleInCloud) await ctx.jobs.send(signCloudJob, { attemptId, wait: 0 }, { key: attemptId });
    await removeOldDrawings(ctx);
    for (const attemptId of await listOverdueAttemptIds(ctx)) await endAuthorization(ctx, attemptId, 'signing.authorizationExpired');
  },
});
