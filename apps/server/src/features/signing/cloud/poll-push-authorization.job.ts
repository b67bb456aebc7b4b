import { DomainError } from '@lavra/domain';
import { pushPollMs } from '@lavra/psc';
import type { Ctx } from '../../../context.ts';
import { defineJob } from '../../../jobs/queue.ts';
import { findAttempt } from '../signing.store.ts';
import { cloudFault } from './cloud-fault.ts';
import { openPending } from './cloud-secret.ts';
import { endAuthorization } from './end-authorization.ts';
import { useAuthorizationCode } from './use-authorization-code.ts';

/**
 * Asks once whether the holder has answered on their telephone, and sends the next question: a job that waited for 90 s would
 * keep a worker from everybody else's. A program that dies loses none, since the queue tries the same question again.
 */
export const pollPushAuthorizationJob = defineJob<{ attemptId: string; poll: number }>({
  name: 'poll-push-authorization',
  exclusive: true,
  async run(ctx, { attemptId, poll }) {
    const attempt = await findAttempt(ctx, attemptId);
    if (attempt?.state !== 'authorizing') return;
    const pending = openPending(ctx, attempt.secret);
    if (!pending) return;
    try {
      const code = await ctx.psc.pollPush(pending);
      if (code === null) return await sendPoll(ctx, attemptId, poll + 1);
      return await useAuthorizationCode(ctx, attemptId, pending, code);
    } catch (error) {
      // The attempt knows its own reason already.
      if (error instanceof DomainError) return;
      const { reason, passing } = cloudFault(error);
      ctx.log.info({ err: error, attempt: attemptId }, 'the holder did not authorise on their telephone');
      if (passing) await sendPoll(ctx, attemptId, poll + 1);
      else await endAuthorization(ctx, attemptId, reason);
    }
  },
});

/** Numbered, so that a question that is tried again does not begin a second row of them. */
export function sendPoll(ctx: Ctx, attemptId: string, poll: number): Promise<void> {
  return ctx.jobs.send(pollPushAuthorizationJob, { attemptId, poll }, { afterMs: pushPollMs, key: `${attemptId}:${poll}` });
}
