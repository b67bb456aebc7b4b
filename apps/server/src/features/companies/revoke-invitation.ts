import { DomainError } from '@lavra/domain';
import type { Person } from '../../access/actor.ts';
import type { Ctx } from '../../context.ts';
import { findInvitation, type Invitation, revokeInvitation as revoke } from './invitations.store.ts';
import { runCompany } from './may-run.ts';

/** Withdraws an invitation: its link opens nothing any more. @throws DomainError invitation.ended, request.notFound, request.forbidden */
export async function revokeInvitation(ctx: Ctx, actor: Person, id: string): Promise<void> {
  const { companyId } = await ofOwnCompany(ctx, actor, id);
  await ctx.transaction(async (tx) => {
    await runCompany(tx, actor, companyId);
    if (!(await revoke(tx, id))) throw new DomainError('invitation.ended');
  });
}

/** One of a company that the actor administers, or has to do with. @throws DomainError request.notFound */
export async function ofOwnCompany(ctx: Ctx, actor: Person, id: string): Promise<Invitation> {
  const invitation = await findInvitation(ctx, id);
  const isTheirs = invitation?.companyId === actor.company?.id || actor.authorities.includes('ROLE_ADMIN');
  if (!invitation || !isTheirs) throw new DomainError('request.notFound');
  return invitation;
}
