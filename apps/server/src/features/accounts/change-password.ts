import { DomainError } from '@lavra/domain';
import { recordAudit } from '../../audit/audit.store.ts';
import type { Ctx } from '../../context.ts';
import { findSessionDevice, revokeOtherSessions } from '../../access/sessions.store.ts';
import type { Person } from '../../access/actor.ts';
import { findUserById, lockUser, setPassword, useUpKeys } from './accounts.store.ts';
import { assertNewPassword } from './assert-new-password.ts';
import { forgetDevices } from './devices.store.ts';
import { hashPassword, verifyPassword } from './password-hash.ts';

/** Every other session, every mailed key and every other device's standing ends. @throws DomainError account.noPassword, account.incorrectPassword, account.passwordWeak, account.passwordKnown */
export async function changePassword(ctx: Ctx, actor: Person, input: { currentPassword: string; newPassword: string }): Promise<void> {
  const user = await findUserById(ctx, actor.userId);
  if (user && user.loginType !== 'password') throw new DomainError('account.noPassword');
  const entry = { kind: 'password.changed', accountId: actor.userId, ip: actor.from.ip } as const;
  if (!(await verifyPassword(user?.passwordHash ?? null, input.currentPassword))) {
    await recordAudit(ctx, { ...entry, outcome: 'refused', reason: 'account.incorrectPassword' });
    throw new DomainError('account.incorrectPassword', { field: 'currentPassword' });
  }
  await assertNewPassword(input.newPassword, 'newPassword');
  const passwordHash = await hashPassword(input.newPassword);
  const device = await findSessionDevice(ctx, actor.sessionId);
  await ctx.transaction(async (tx) => {
    // Replaced meanwhile, be it by who was mailed a link: what was shown is an old one.
    if ((await lockUser(tx, actor.userId)).passwordHash !== user?.passwordHash)
      throw new DomainError('account.incorrectPassword', { field: 'currentPassword' });
    await setPassword(tx, actor.userId, passwordHash);
    await useUpKeys(tx, actor.userId);
    await revokeOtherSessions(tx, actor.userId, actor.sessionId);
    await forgetDevices(tx, actor.userId, device);
    await recordAudit(tx, { ...entry, outcome: 'success' });
  });
}
