import type { CompanyInvitation, CompanyMember, CompanyOverview } from '@lavra/api';
import { type CompanyRole, DomainError, fullName } from '@lavra/domain';
import type { Person } from '../../access/actor.ts';
import type { Ctx } from '../../context.ts';
import { listAccounts } from '../accounts/find-account.ts';
import { findCompany } from './companies.store.ts';
import { type Invitation, listOpenInvitations } from './invitations.store.ts';
import { listMembers } from './members.store.ts';

/** Section 6: administrators see the member list. A member sees the company and themself. @throws DomainError company.notFound */
export async function describeCompany(ctx: Ctx, actor: Person, companyId: string): Promise<CompanyOverview> {
  const own = actor.company?.id === companyId ? actor.company : null;
  const runs = own?.role === 'admin' || actor.authorities.includes('ROLE_ADMIN');
  const company = own !== null || runs ? await findCompany(ctx, companyId) : undefined;
  if (!company) throw new DomainError('company.notFound');
  const [members, invitations] = await Promise.all([membersOf(ctx, actor, companyId), runs ? listOpenInvitations(ctx, companyId) : []]);
  return {
    ...company,
    authority: own && authorityOf(own.role),
    members: runs ? members : members.filter(({ isCurrentUser }) => isCurrentUser),
    invitations: invitations.map((one) => invitationReply(ctx, one)),
  };
}

const authorityOf = (role: CompanyRole) => (role === 'admin' ? 'ROLE_ADMIN' : 'ROLE_USER');

async function membersOf(ctx: Ctx, actor: Person, companyId: string): Promise<CompanyMember[]> {
  const members = await listMembers(ctx, companyId);
  const accounts = new Map(
    (
      await listAccounts(
        ctx,
        members.map(({ userId }) => userId),
      )
    ).map((one) => [one.id, one]),
  );
  return members.flatMap(({ userId, role, joinedAt }) => {
    const account = accounts.get(userId);
    if (!account) return [];
    return {
      id: userId,
      name: fullName(account),
      email: account.email,
      authority: authorityOf(role),
      joinedDate: joinedAt.toISOString(),
      isCurrentUser: userId === actor.userId,
    };
  });
}

/** As it is answered. */
export function invitationReply(ctx: Ctx, { id, email, createdAt, expiresAt }: Invitation): CompanyInvitation {
  return {
    id,
    email,
    createdDate: createdAt.toISOString(),
    expiresDate: expiresAt.toISOString(),
    expired: expiresAt <= ctx.clock.now(),
  };
}
