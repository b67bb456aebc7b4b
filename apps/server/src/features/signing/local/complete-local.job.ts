import { storedErrorCode } from '@lavra/domain';
import type { Ctx } from '../../../context.ts';
import { defineJob } from '../../../jobs/queue.ts';
import { assertClock, isClockFault } from '../../clock/clock-watch.ts';
import { cloudFault } from '../cloud/cloud-fault.ts';
import { completeAttempt } from '../digital/complete-attempt.ts';
import { takeLease } from '../digital/digital.store.ts';
import { failAttempt } from '../digital/fail-attempt.ts';
import { leaseMs } from '../digital/prepare-attempt.ts';
import { findAttempt, noteAttempt } from '../signing.store.ts';

/**
 * Ends the signature of a key on the signer's computer whose values are written down and whose timestamp could not be had in the
 * request: whoever typed a PIN need not type it again because an authority was away for minutes.
 */
export const completeLocalJob = defineJob<{ attemptId: string }>({
  name: 'complete-local',
  exclusive: true,
  async run(ctx, { attemptId }, end) {
    const attempt = await findAttempt(ctx, attemptId);
    if (attempt?.state !== 'signing' || attempt.kind !== 'local') return;
    try {
      await assertClock(ctx);
      // The documents stay this signer's while they wait; if somebody was faster, the completion says so.
      await takeLease(ctx, attempt.signatureProcessId, attemptId, new Date(ctx.clock.now().getTime() + leaseMs));
      await completeAttempt(ctx, attemptId, end);
    } catch (error) {
      await endRun(ctx, attemptId, error);
    }
  },
  async onGivenUp(ctx, { attemptId }) {
    const attempt = await findAttempt(ctx, attemptId);
    await failAttempt(ctx, attemptId, storedErrorCode(attempt?.reason));
  },
});

async function endRun(ctx: Ctx, attemptId: string, error: unknown): Promise<void> {
  // Waits for the clock, however long, without using up its tries: the sweep sends it again.
  if (isClockFault(error)) return noteAttempt(ctx, attemptId, 'server.clockBehind');
  const { reason, params, passing } = cloudFault(error);
  if (passing) {
    await noteAttempt(ctx, attemptId, reason);
    throw error;
  }
  ctx.log.warn({ err: error, attempt: attemptId }, 'a signing attempt failed');
  await failAttempt(ctx, attemptId, reason, params);
}
