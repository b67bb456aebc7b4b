import { DomainError } from '@lavra/domain';
import type { Person } from '../../../access/actor.ts';
import { revokeOtherSessions } from '../../../access/sessions.store.ts';
import { recordAudit } from '../../../audit/audit.store.ts';
import type { Ctx } from '../../../context.ts';
import { queueMail } from '../../../mail/send-mail.job.ts';
import { findUserById, lockUser } from '../accounts.store.ts';
import { deleteFactors } from './factors.store.ts';
import { factorMail } from './second-factor.mail.ts';

/**
 * Recovery by an administrator: the account's factors are gone, its sessions end, and its holder is told. Where the installation
 * requires a factor the account gets a new one at its next sign-in. An account without any is left as it is.
 * @throws DomainError request.notFound; account.ownSecondFactor: one's own is removed with a proof, in the settings
 */
export async function resetSecondFactor(ctx: Ctx, actor: Person, { accountId }: { accountId: string }): Promise<void> {
  if (accountId === actor.userId) throw new DomainError('account.ownSecondFactor');
  if (!(await findUserById(ctx, accountId))) throw new DomainError('request.notFound');
  await ctx.transaction(async (tx) => {
    const user = await lockUser(tx, accountId);
    if (!(await deleteFactors(tx, accountId))) return;
    await revokeOtherSessions(tx, accountId, null);
    const { userId, from } = actor;
    await recordAudit(tx, { kind: 'factor.reset', outcome: 'success', accountId: userId, subjectId: accountId, ip: from.ip });
    await queueMail(tx, user.email, user.langKey, factorMail(tx, user, 'factorsReset'));
  });
}
