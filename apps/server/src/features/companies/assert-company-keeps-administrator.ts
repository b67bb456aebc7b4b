import { assertStaysAdministered } from '@lavra/domain';
import type { Ctx } from '../../context.ts';
import { lockCompany } from './companies.store.ts';
import { findMember, listMembers } from './members.store.ts';

/** Of an account that is to be removed or shut: its company, where there are others, has another administrator. @throws DomainError company.lastAdministrator */
export async function assertCompanyKeepsAdministrator(tx: Ctx, userId: string): Promise<void> {
  const member = await findMember(tx, userId);
  if (!member) return;
  // Roles change under it: what is read then stays so until the account is gone.
  await lockCompany(tx, member.companyId);
  assertStaysAdministered(await listMembers(tx, member.companyId), userId, 'gone');
}
