import { DomainError, isAdministered, maskEmail } from '@lavra/domain';
import { recordAudit } from '../../audit/audit.store.ts';
import type { Person } from '../../access/actor.ts';
import type { Ctx } from '../../context.ts';
import { accountKeyHash } from '../accounts/account-key.ts';
import { hasPlanSeats } from '../plans/count-usage.ts';
import { lockCompany } from './companies.store.ts';
import { useInvitation } from './invitations.store.ts';
import { insertMember, listMembers } from './members.store.ts';
import { assertHasAccount, openInvitation } from './read-invitation.ts';

/**
 * The invited account joins the company, once. Where nobody can administer it, it does.
 * @throws DomainError invitation.notFound, ended; invitation.accountMissing, otherAddress: somebody else is signed in, companyFull; company.alreadyMember
 */
export async function acceptInvitation(
  ctx: Ctx,
  actor: Person,
  { id, key }: { id: string; key: string },
): Promise<{ id: string; name: string }> {
  const { companyId, email } = await openInvitation(ctx, id, key);
  if (email !== actor.email) {
    await assertHasAccount(ctx, email);
    throw new DomainError('invitation.otherAddress', { params: { email: maskEmail(email) } });
  }
  return ctx.transaction(async (tx) => {
    const name = await lockCompany(tx, companyId);
    if (name === undefined || !(await useInvitation(tx, id, accountKeyHash(key)))) throw new DomainError('invitation.ended');
    const members = await listMembers(tx, companyId);
    const [one] = members;
    // The plan may have become smaller since. Then the invitation is as open as it was.
    if (one && !(await hasPlanSeats(tx, one.userId, members.length + 1))) throw new DomainError('invitation.companyFull');
    await insertMember(tx, { companyId, userId: actor.userId, role: isAdministered(members) ? 'member' : 'admin' });
    await recordAudit(tx, {
      kind: 'company.joined',
      outcome: 'success',
      accountId: actor.userId,
      subjectId: `companies/${companyId}`,
      ip: actor.from.ip,
    });
    return { id: companyId, name };
  });
}
