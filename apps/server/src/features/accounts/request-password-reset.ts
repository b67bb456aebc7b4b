import { DomainError, parseEmail } from '@lavra/domain';
import type { Visitor } from '../../access/actor.ts';
import { limitRate } from '../../access/limits.store.ts';
import type { Ctx } from '../../context.ts';
import { findUserByEmail } from './accounts.store.ts';
import { mailResetLinkJob } from './mail-reset-link.job.ts';

/**
 * Asks for a link by mail. Says nothing about whether there is such an account, not even by the time it takes:
 * both ways cost one look-up and one job.
 * @throws DomainError account.emailInvalid, request.tooMany
 */
export async function requestPasswordReset(ctx: Ctx, _actor: Visitor, given: string): Promise<void> {
  const email = parseEmail(given);
  if (email === null) throw new DomainError('account.emailInvalid', { field: 'email' });
  await limitRate(ctx, 'reset-account', email);
  const user = await findUserByEmail(ctx, email);
  await ctx.jobs.send(mailResetLinkJob, { accountId: user?.id ?? null });
}
