import { DomainError, isAcceptablePassword } from '@lavra/domain';
import type { Ctx } from '../../context.ts';
import type { Actor } from '../../http/actor.ts';
import { limitRate } from '../../http/rate-limit.store.ts';
import { findUserById, revokeOtherSessions, setPassword } from './accounts.store.ts';
import { hashPassword, verifyPassword } from './password-hash.ts';

/** @throws DomainError account.incorrectPassword, account.passwordWeak */
export async function changePassword(ctx: Ctx, actor: Actor, input: { currentPassword: string; newPassword: string }): Promise<void> {
  await limitRate(ctx, 'change-password', actor.userId, 10, 900);
  const user = await findUserById(ctx, actor.userId);
  if (!(await verifyPassword(user?.password_hash ?? null, input.currentPassword))) {
    throw new DomainError('account.incorrectPassword', { field: 'currentPassword' });
  }
  if (!isAcceptablePassword(input.newPassword)) throw new DomainError('account.passwordWeak', { field: 'newPassword' });
  const passwordHash = await hashPassword(input.newPassword);
  await ctx.transaction(async (tx) => {
    await setPassword(tx, actor.userId, passwordHash);
    await revokeOtherSessions(tx, actor.userId, actor.sessionId);
  });
}
