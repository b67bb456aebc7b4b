import type { CompanyOverview } from '@lavra/api';
import { assertStaysAdministered, type CompanyRole, DomainError } from '@lavra/domain';
import { recordAudit } from '../../audit/audit.store.ts';
import type { Person } from '../../access/actor.ts';
import type { Ctx } from '../../context.ts';
import { describeCompany } from './describe-company.ts';
import { runCompany } from './may-run.ts';
import { listMembers, setRole } from './members.store.ts';

export interface RoleChange {
  companyId: string;
  userId: string;
  role: CompanyRole;
}

/**
 * Makes somebody administrator of the company, or one of its members again; never oneself.
 * @throws DomainError company.notFound, memberNotFound, ownRole, lastAdministrator; request.forbidden
 */
export async function changeRole(ctx: Ctx, actor: Person, { companyId, userId, role }: RoleChange): Promise<CompanyOverview> {
  await ctx.transaction(async (tx) => {
    await runCompany(tx, actor, companyId);
    const members = await listMembers(tx, companyId);
    const member = members.find((one) => one.userId === userId);
    if (!member) throw new DomainError('company.memberNotFound');
    if (userId === actor.userId) throw new DomainError('company.ownRole');
    if (member.role === role) return;
    if (role === 'member') assertStaysAdministered(members, userId, 'member');
    await setRole(tx, userId, role);
    await recordAudit(tx, {
      kind: 'company.role',
      outcome: 'success',
      reason: role,
      accountId: actor.userId,
      subjectId: `companies/${companyId}`,
      details: { member: userId },
      ip: actor.from.ip,
    });
  });
  return describeCompany(ctx, actor, companyId);
}
