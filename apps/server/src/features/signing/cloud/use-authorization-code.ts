import { DomainError } from '@lavra/domain';
import type { PendingAuthorization, PscAuthorization } from '@lavra/psc';
import type { Ctx } from '../../../context.ts';
import { failAttempt } from '../digital/fail-attempt.ts';
import { cloudFault } from './cloud-fault.ts';
import { sealSecret } from './cloud-secret.ts';
import { claimAttempt, keepAuthorization } from './cloud.store.ts';
import { signCloudJob } from './sign-cloud.job.ts';

/** Longer than a provider is given to answer: an attempt without a token after that has lost its program. */
const EXCHANGE_MS = 60_000;

/**
 * Turns the code that says "the holder agreed" into a token, once, and queues the signing with it. From here on the attempt is
 * being signed: nobody can give it up, and a fault ends it.
 * @throws DomainError signing.authorizationUsed; the reason that the attempt failed with
 */
export async function useAuthorizationCode(ctx: Ctx, attemptId: string, pending: PendingAuthorization, code: string): Promise<void> {
  const until = new Date(ctx.clock.now().getTime() + EXCHANGE_MS);
  if (!(await claimAttempt(ctx, attemptId, until))) throw new DomainError('signing.authorizationUsed');
  let authorization: PscAuthorization;
  try {
    authorization = await ctx.psc.exchangeCode(pending, code);
  } catch (error) {
    const { reason } = cloudFault(error);
    ctx.log.warn({ err: error, attempt: attemptId }, 'a provider gave no token');
    await failAttempt(ctx, attemptId, reason);
    throw new DomainError(reason);
  }
  await ctx.transaction(async (tx) => {
    const kept = await keepAuthorization(tx, attemptId, sealSecret(tx, { authorization }), new Date(authorization.expiresAt));
    if (!kept) throw new DomainError('signing.authorizationUsed');
    await tx.jobs.send(signCloudJob, { attemptId, wait: 0 }, { key: attemptId });
  });
}
