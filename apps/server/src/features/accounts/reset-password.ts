import { DomainError, isAcceptablePassword, isEmail, normalizeEmail } from '@lavra/domain';
import type { Ctx } from '../../context.ts';
import type { RequestFacts } from '../../http/actor.ts';
import { limitRate } from '../../http/rate-limit.store.ts';
import { queueMail } from '../../mail/send-mail.job.ts';
import { accountKeyHash, newAccountKey } from './account-key.ts';
import { passwordResetMail } from './account.mail.ts';
import { activateUser, findUserByEmail, insertKey, revokeOtherSessions, setPassword, useKey } from './accounts.store.ts';
import { hashPassword } from './password-hash.ts';

const RESET_HOURS = 24;

/** Mails a link when there is such an account; says nothing about whether there is. */
export async function requestPasswordReset(ctx: Ctx, given: string, facts: RequestFacts): Promise<void> {
  const email = normalizeEmail(given);
  if (!isEmail(email)) throw new DomainError('account.emailInvalid', { field: 'email' });
  await limitRate(ctx, 'reset', facts.ip, 20, 3600);
  await limitRate(ctx, 'reset-account', email, 5, 3600);
  const user = await findUserByEmail(ctx, email);
  if (!user || user.login_type !== 'password') return;
  const { key, hash } = newAccountKey();
  await ctx.transaction(async (tx) => {
    await insertKey(tx, { hash, userId: user.id, purpose: 'reset', expiresAt: new Date(tx.clock.now().getTime() + RESET_HOURS * 3_600_000) });
    await queueMail(tx, email, user.lang_key, passwordResetMail(tx, user.lang_key, { name: user.first_name, key }));
  });
}

/** Sets the password by the mailed key, which also proves the e-mail; every session ends. */
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
