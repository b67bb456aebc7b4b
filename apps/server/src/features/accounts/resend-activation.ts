import { DomainError } from '@lavra/domain';
import type { Person } from '../../access/actor.ts';
import { limitRate } from '../../access/limits.store.ts';
import { recordAudit } from '../../audit/audit.store.ts';
import type { Ctx } from '../../context.ts';
import { findUserById, lockUser } from './accounts.store.ts';
import { mailConfirmation } from './mail-confirmation.ts';

/** Sends the link once more by which an account's address is confirmed. @throws DomainError request.notFound, request.tooMany, user.confirmed */
export async function resendActivation(ctx: Ctx, actor: Person, { accountId }: { accountId: string }): Promise<void> {
  const user = await findUserById(ctx, accountId);
  if (!user) throw new DomainError('request.notFound');
  if (user.state !== 'notActivated') throw new DomainError('user.confirmed');
  await limitRate(ctx, 'resend-activation', user.email);
  await ctx.transaction(async (tx) => {
    // Confirmed meanwhile: nothing is sent.
    if ((await lockUser(tx, accountId)).state !== 'notActivated') throw new DomainError('user.confirmed');
    await mailConfirmation(tx, accountId);
    const { userId, from } = actor;
    await recordAudit(tx, { kind: 'account.invited', outcome: 'success', accountId: userId, subjectId: accountId, ip: from.ip });
  });
}
