import type { Ctx } from '../../context.ts';
import { assertPlanSeats } from '../plans/count-usage.ts';
import { listOpenInvitations } from './invitations.store.ts';
import { listMembers } from './members.store.ts';

/**
 * Everybody who is asked into a company finds a place there: its members count in its plan, and who was asked already. Call while the
 * company is locked.
 * @throws DomainError contract.accountUsersUsedUp
 */
export async function assertSeatsFor(tx: Ctx, companyId: string, emails: readonly string[]): Promise<void> {
  const members = await listMembers(tx, companyId);
  const [one] = members;
  // Nobody's contract covers a company without members.
  if (!one) return;
  const now = tx.clock.now();
  const others = (await listOpenInvitations(tx, companyId)).filter(({ email, expiresAt }) => expiresAt > now && !emails.includes(email));
  await assertPlanSeats(tx, one.userId, members.length + others.length, emails.length);
}
