import { DomainError } from '@lavra/domain';
import type { Person } from '../../access/actor.ts';
import { revokeOtherSessions } from '../../access/sessions.store.ts';
import { recordAudit } from '../../audit/audit.store.ts';
import type { Ctx } from '../../context.ts';
import { assertAdministratorRemains } from './assert-administrator-remains.ts';
import { forgetDevices } from './devices.store.ts';
import { deactivateUser, findUserById, useUpKeys } from './accounts.store.ts';

/**
 * Shuts an account until it is reactivated: its sessions end, no mailed link opens it, and its address cannot be registered anew.
 * What it has begun goes on, and its signers sign. Shutting a shut one changes nothing.
 * @throws DomainError request.notFound, user.lastAdministrator, company.lastAdministrator
 */
export async function deactivateAccount(ctx: Ctx, actor: Person, { accountId }: { accountId: string }): Promise<void> {
  if (!(await findUserById(ctx, accountId))) throw new DomainError('request.notFound');
  await ctx.transaction(async (tx) => {
    if (!(await deactivateUser(tx, accountId))) return;
    // Read while its row is held: somebody may have been made an administrator a moment ago.
    const user = await findUserById(tx, accountId);
    if (user?.authorities.includes('ROLE_ADMIN')) await assertAdministratorRemains(tx, accountId);
    await tx.accountLeaves(tx, accountId);
    await revokeOtherSessions(tx, accountId, null);
    await forgetDevices(tx, accountId, null);
    await useUpKeys(tx, accountId);
    const { userId, from } = actor;
    await recordAudit(tx, { kind: 'account.deactivated', outcome: 'success', accountId: userId, subjectId: accountId, ip: from.ip });
  });
}
