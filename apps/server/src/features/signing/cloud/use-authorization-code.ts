import { DomainError, type DomainErrorCode, storedErrorCode } from '@lavra/domain';
import { defaultDeadlines, type PendingAuthorization, type PscAuthorization } from '@lavra/psc';
import type { Ctx } from '../../../context.ts';
import { failAttempt } from '../digital/fail-attempt.ts';
import { type Attempt, findAttempt } from '../signing.store.ts';
import { cloudFault } from './cloud-fault.ts';
import { sealSecret } from './cloud-secret.ts';
import { claimAttempt, keepAuthorization } from './cloud.store.ts';
import { endLapsedClaimJob } from './end-lapsed-claim.job.ts';
import { signCloudJob } from './sign-cloud.job.ts';

/** As long as a provider is given to answer, and a moment to write that down: a claim without a token after that has lost its program. */
const EXCHANGE_MS = defaultDeadlines.callMs + 2_000;

/** Why an attempt is over, where that says more than "used". */
const telling: readonly string[] = ['signing.authorizationExpired', 'signing.authorizationRefused', 'signing.canceled'];

/** How an attempt that is waited for no more answers whoever comes with its code. */
export function reasonOver({ state, reason }: Pick<Attempt, 'state' | 'reason'>): DomainErrorCode {
  // Nobody has said so yet.
  if (state === 'authorizing') return 'signing.authorizationExpired';
  return telling.includes(reason ?? '') ? storedErrorCode(reason) : 'signing.authorizationUsed';
}

/**
 * Turns the code that says "the holder agreed" into a token, once, and queues the signing with it. From here on the attempt is
 * being signed: nobody can give it up, and a fault ends it.
 * @throws DomainError signing.authorizationUsed, or why the attempt is over; the reason that it failed with
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
    if (!kept) throw await over(tx, attemptId);
    await tx.jobs.send(signCloudJob, { attemptId, wait: 0 }, { key: attemptId });
  });
}

/** Once. Who comes back for the claim, should this program die with the code, is sent for beforehand. */
async function claim(ctx: Ctx, attemptId: string): Promise<void> {
  const until = new Date(ctx.clock.now().getTime() + EXCHANGE_MS);
  await ctx.transaction(async (tx) => {
    if (!(await claimAttempt(tx, attemptId, until))) throw await over(tx, attemptId);
    await tx.jobs.send(endLapsedClaimJob, { attemptId }, { afterMs: EXCHANGE_MS });
  });
}

/** Somebody came between the look at it and the claim. */
async function over(tx: Ctx, attemptId: string): Promise<DomainError> {
  const attempt = await findAttempt(tx, attemptId);
  return new DomainError(attempt ? reasonOver(attempt) : 'signing.authorizationUsed');
}
