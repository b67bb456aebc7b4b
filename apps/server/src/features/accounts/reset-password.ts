import { DomainError, isAcceptablePassword, isEmail, normalizeEmail } from '@lavra/domain';
import type { Ctx } from '../../context.ts';
import type { RequestFacts } from '../../http/actor.ts';
import { limitRate, limitRateByAddress } from '../../http/rate-limit.store.ts';
import { accountKeyHash } from './account-key.ts';
import { activateUser, revokeOtherSessions, setPassword, useKey } from './accounts.store.ts';
import { mailResetLinkJob } from './mail-reset-link.job.ts';
import { hashPassword } from './password-hash.ts';

/**
 * Asks for a link by mail. Says nothing about whether there is such an account, not even by the time it takes:
 * who it is, is looked up by a job.
 * @throws DomainError account.emailInvalid, request.tooMany
 */
export async function requestPasswordReset(ctx: Ctx, given: string, facts: RequestFacts): Promise<void> {
  const email = normalizeEmail(given);
  if (!isEmail(email)) throw new DomainError('account.emailInvalid', { field: 'email' });
  await limitRateByAddress(ctx, 'reset', facts.ip, 20, 3600);
  await limitRate(ctx, 'reset-account', email, 5, 3600);
  await ctx.jobs.send(mailResetLinkJob, { email });
}

/**
 * Sets the password by the mailed key, which also proves the e-mail; every session ends.
 * @throws DomainError account.passwordWeak, keyInvalid
 */
export async function finishPasswordReset(ctx: Ctx, key: string, newPassword: string): Promise<void> {
  if (!isAcceptablePassword(newPassword)) throw new DomainError('account.passwordWeak', { field: 'newPassword' });
  const passwordHash = await hashPassword(newPassword);
  await ctx.transaction(async (tx) => {
    const userId = await useKey(tx, accountKeyHash(key), 'reset');
    if (!userId) throw new DomainError('account.keyInvalid');
    await setPassword(tx, userId, passwordHash);
    await activateUser(tx, userId);
    await revokeOtherSessions(tx, userId, null);
  });
}
