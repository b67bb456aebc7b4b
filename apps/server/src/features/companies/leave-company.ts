import { retentionDays } from '@lavra/domain';
import type { Ctx } from '../../context.ts';
import { listContractDays } from '../plans/contract-retentions.ts';
import { deleteMembers, insertPastMemberships } from './members.store.ts';

/**
 * Takes people out of their company, all at once: of one that ends, the contract of any of them covers the others until they go. What
 * they had sent as its members is kept for as long as before, and not for ever: for the days that hold now, the company's, or those of
 * its contract where it covers them no longer. Call while the company is locked.
 */
export async function leaveCompany(tx: Ctx, userIds: readonly string[]): Promise<void> {
  const before = await listContractDays(tx, userIds);
  const left = await deleteMembers(tx, userIds);
  const now = await listContractDays(tx, userIds);
  const kept = left.flatMap(({ userId, since, days: companys }) => {
    const days = retentionDays([companys, now.has(userId) ? null : (before.get(userId) ?? null)]);
    return days === null ? [] : [{ userId, since, days }];
  });
  await insertPastMemberships(tx, kept);
}
