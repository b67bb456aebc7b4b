import { DomainError } from '@lavra/domain';
import type { Person } from '../../access/actor.ts';
import type { Ctx } from '../../context.ts';
import { findMember } from './members.store.ts';

/**
 * From when on an administrator of the company sees what one of its members sends: from the day they joined, for what was
 * before is theirs alone. Null: everything, of oneself.
 * @throws DomainError company.memberNotFound
 */
export async function memberSeenSince(ctx: Ctx, actor: Person, userId: string): Promise<Date | null> {
  if (userId === actor.userId) return null;
  const member = actor.company?.role === 'admin' ? await findMember(ctx, userId) : undefined;
  if (!member || member.companyId !== actor.company?.id) throw new DomainError('company.memberNotFound');
  return member.joinedAt;
}
