import type { CompanyOverview } from '@lavra/api';
import { assertStaysAdministered, DomainError } from '@lavra/domain';
import { recordAudit } from '../../audit/audit.store.ts';
import type { Person } from '../../access/actor.ts';
import type { Ctx } from '../../context.ts';
import { describeCompany } from './describe-company.ts';
import { runCompany } from './may-run.ts';
import { lockCompany } from './companies.store.ts';
import { leaveCompany } from './leave-company.ts';
import { listMembers } from './members.store.ts';

/**
 * Takes somebody out of a company; what they have sent stays theirs. Whoever belongs to it may leave it. Null where there is nobody
 * left to show to the actor.
 * @throws DomainError company.notFound, memberNotFound, lastAdministrator; request.forbidden
 */
export async function removeMember(
  ctx: Ctx,
  actor: Person,
  { companyId, userId }: { companyId: string; userId: string },
): Promise<CompanyOverview | null> {
  const leaves = userId === actor.userId && actor.company?.id === companyId;
  const left = await ctx.transaction(async (tx) => {
    await (leaves ? lockCompany(tx, companyId) : runCompany(tx, actor, companyId));
    const members = await listMembers(tx, companyId);
    if (!members.some((one) => one.userId === userId)) throw new DomainError('company.memberNotFound');
    assertStaysAdministered(members, userId, 'gone');
    await leaveCompany(tx, [userId]);
    await recordAudit(tx, {
      kind: 'company.left',
      outcome: 'success',
      accountId: actor.userId,
      subjectId: `companies/${companyId}`,
      details: { member: userId },
      ip: actor.from.ip,
    });
    return members.length - 1;
  });
  return leaves || left === 0 ? null : describeCompany(ctx, actor, companyId);
}
