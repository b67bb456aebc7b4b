import { retentionDays } from '@lavra/domain';
import type { Ctx } from '../../context.ts';
import { findContractDays } from '../plans/contract-retentions.ts';
import { deleteMember, findMember, insertPastMembership } from './members.store.ts';
import { listRetentionsOf } from './retentions.ts';

/**
 * Takes somebody out of their company. What they had sent as its member is kept for as long as before, and not for ever: for the days
 * that hold now, the company's, or those of its contract where it covers them no longer. Call while the company is locked.
 */
export async function leaveCompany(tx: Ctx, userId: string): Promise<void> {
  const member = await findMember(tx, userId);
  if (!member) return;
  const contract = await findContractDays(tx, userId);
  const company = (await listRetentionsOf(tx, userId)).find(({ until }) => until === null)?.days ?? null;
  await deleteMember(tx, userId);
  const lost = (await findContractDays(tx, userId)) === null ? contract : null;
  const days = retentionDays([company, lost]);
  if (days !== null) await insertPastMembership(tx, { userId, since: member.joinedAt, days });
}
