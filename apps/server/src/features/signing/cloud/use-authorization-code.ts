import { DomainError } from '@lavra/domain';
import { defaultDeadlines, type PendingAuthorization, type PscAuthorization } from '@lavra/psc';
import type { Ctx } from '../../../context.ts';
import { failAttempt } from '../digital/fail-attempt.ts';
import { cloudFault } from './cloud-fault.ts';
import { sealSecret } from './cloud-secret.ts';
import { claimAttempt, keepAuthorization } from './cloud.store.ts';
import { endLapsedClaimJob } from './end-lapsed-claim.job.ts';
import { signCloudJob } from './sign-cloud.job.ts';

/** As long as a provider is given to answer, and a moment to write that down: a claim without a token after that has lost its program. */
const EXCHANGE_MS = defaultDeadlines.callMs + 2_000;

/**
 * Turns the code that says "the holder agreed" into a token, once, and queues the signing with it. From here on the attempt is
 * being signed: nobody can give it up, and a fault ends it.
 * @throws DomainError signing.authorizationUsed; the reason that the attempt failed with
 */
export async function useAuthorizationCode(ctx: Ctx, attemptId: string, pending: PendingAuthorization, code: string): Promise<void> {
  await claim(ctx, attemptId);
  let authorization: PscAuthorization;
  try {
    authorization = await ctx.psc.exchangeCode(pending, code);
  } catch (error) {
    const { reason } = cloudFault(error);
    ctx.log.warn({ err: error, attempt: attemptId }, 'a certificate provider returned no token');
    await failAttempt(ctx, attemptId, reason);
    throw new DomainError(reason);
  }
  await ctx.transaction(async (tx) => {
    const kept = await keepAuthorization(tx, attemptId, sealSecret(tx, { authorization }), new Date(authorization.expiresAt));
    if (!kept) throw new DomainError('signing.authorizationUsed');
    await tx.jobs.send(signCloudJob, { attemptId, wait: 0 }, { key: attemptId });
  });
}

/** Once. Who comes back for the claim, should this program die with the code, is sent for beforehand. */
async function claim(ctx: Ctx, attemptId: string): Promise<void> {
  const until = new Date(ctx.clock.now().getTime() + EXCHANGE_MS);
  await ctx.transaction(async (tx) => {
    if (!(await claimAttempt(tx, attemptId, until))) throw new DomainError('signing.authorizationUsed');
    await tx.jobs.send(endLapsedClaimJob, { attemptId }, { afterMs: EXCHANGE_MS });
  });
}
