import { DomainError } from '@lavra/domain';
import type { Person } from '../../access/actor.ts';
import { recordAudit } from '../../audit/audit.store.ts';
import type { Ctx } from '../../context.ts';
import { findUserById, reactivateUser } from './accounts.store.ts';

/**
 * Opens a deactivated account again: as it was, so that one whose address nobody confirmed waits for that still. Nobody is signed in
 * by it. @throws DomainError request.notFound
 */
export async function reactivateAccount(ctx: Ctx, actor: Person, { accountId }: { accountId: string }): Promise<void> {
  if (!(await findUserById(ctx, accountId))) throw new DomainError('request.notFound');
  await ctx.transaction(async (tx) => {
    if (!(await reactivateUser(tx, accountId))) return;
    const { userId, from } = actor;
    await recordAudit(tx, { kind: 'account.reactivated', outcome: 'success', accountId: userId, subjectId: accountId, ip: from.ip });
  });
}
