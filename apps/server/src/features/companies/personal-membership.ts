import { assertStaysAdministered } from '@lavra/domain';
import type { Ctx, Tx } from '../../context.ts';
import { findCompany, lockCompany } from './companies.store.ts';
import { leaveCompany } from './leave-company.ts';
import { findMember, listMembers, listPastRetentions } from './members.store.ts';
import { deleteInvitationsTo, listInvitationsTo } from './personal-membership.store.ts';

/** Where an account belongs and belonged, and the invitations that went to its address. */
export async function readMembership(ctx: Ctx, { id, email }: { id: string; email: string }) {
  const member = await findMember(ctx, id);
  const company = member && (await findCompany(ctx, member.companyId));
  return {
    company: member ? { id: member.companyId, name: company?.name ?? null, role: member.role, joinedAt: member.joinedAt } : null,
    companiesLeft: (await listPastRetentions(ctx, { ownerId: id })).map(({ since, until, days }) => ({
      since,
      until,
      filesKeptForDays: days,
    })),
    companyInvitations: await listInvitationsTo(ctx, email),
  };
}

/**
 * Takes an account out of its company, and forgets the invitations to its address; call inside the transaction that erases it.
 * @throws DomainError company.lastAdministrator
 */
export async function eraseMembership(tx: Tx, { id, email }: { id: string; email: string }): Promise<void> {
  await deleteInvitationsTo(tx, email);
  const member = await findMember(tx, id);
  if (!member) return;
  await lockCompany(tx, member.companyId);
  assertStaysAdministered(await listMembers(tx, member.companyId), id, 'gone');
  await leaveCompany(tx, [id]);
}
