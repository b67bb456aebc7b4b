import { DomainError, maskEmail, roleOfInvited } from '@lavra/domain';
import { recordAudit } from '../../audit/audit.store.ts';
import type { Person } from '../../access/actor.ts';
import type { Ctx } from '../../context.ts';
import { accountKeyHash } from '../accounts/account-key.ts';
import { findAccount } from '../accounts/find-account.ts';
import { hasPlanSeats } from '../plans/count-usage.ts';
import { lockCompany } from './companies.store.ts';
import { useInvitation } from './invitations.store.ts';
import { insertMember, listMembers, type Member } from './members.store.ts';
import { assertHasAccount, openInvitation } from './read-invitation.ts';

/**
 * The invited account joins the company, once; as its administrator where `roleOfInvited` says so.
 * @throws DomainError invitation.notFound, ended; invitation.accountMissing, otherAddress: somebody else is signed in, companyFull; company.alreadyMember
 */
export async function acceptInvitation(
  ctx: Ctx,
  actor: Person,
  { id, key }: { id: string; key: string },
): Promise<{ id: string; name: string }> {
  const { companyId, email, invitedBy } = await openInvitation(ctx, id, key);
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
    const role = roleOfInvited(members, { isByInstallation: await isByInstallation(tx, invitedBy, members) });
    await insertMember(tx, { companyId, userId: actor.userId, role });
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

/** Whether it came from who administers the installation, and is none of the company's own. */
async function isByInstallation(tx: Ctx, invitedBy: string | null, members: readonly Member[]): Promise<boolean> {
  if (invitedBy === null || members.some(({ userId }) => userId === invitedBy)) return false;
  return (await findAccount(tx, invitedBy))?.authorities.includes('ROLE_ADMIN') === true;
}
