import type { CompanyInvitation } from '@lavra/api';
import { DomainError } from '@lavra/domain';
import type { Person } from '../../access/actor.ts';
import { limitRate } from '../../access/limits.store.ts';
import type { Ctx } from '../../context.ts';
import { assertSeatsFor } from './assert-seats.ts';
import { inviteOne } from './invite-people.ts';
import { findInvitation } from './invitations.store.ts';
import { runCompany } from './may-run.ts';
import { ofOwnCompany } from './revoke-invitation.ts';

/** Writes again, with a new link and 14 more days. @throws DomainError invitation.ended, contract.accountUsersUsedUp, request.notFound, request.forbidden, request.tooMany */
export async function resendInvitation(ctx: Ctx, actor: Person, id: string): Promise<CompanyInvitation> {
  const { companyId, email } = await ofOwnCompany(ctx, actor, id);
  await limitRate(ctx, 'company-invitations', actor.userId);
  return ctx.transaction(async (tx) => {
    const companyName = await runCompany(tx, actor, companyId);
    // Under the company's lock: nobody accepts it meanwhile.
    const held = await findInvitation(tx, id);
    if (!held || held.acceptedAt || held.revokedAt) throw new DomainError('invitation.ended');
    // Its time may have been over, and its place somebody else's since.
    await assertSeatsFor(tx, companyId, [email]);
    return inviteOne(tx, actor, { companyId, companyName, email });
  });
}
