import type { getCompanyInvitation, Reply } from '@lavra/api';
import { DomainError, fullName, maskEmail } from '@lavra/domain';
import type { Visitor } from '../../access/actor.ts';
import type { Ctx } from '../../context.ts';
import { accountKeyHash } from '../accounts/account-key.ts';
import { findAccount, isProvenAddress } from '../accounts/find-account.ts';
import { findCompany } from './companies.store.ts';
import { findMailedInvitation, type Invitation } from './invitations.store.ts';

/**
 * What stands behind a mailed link, for whoever holds it, before anybody accepts.
 * @throws DomainError invitation.notFound, ended; invitation.accountMissing: the invited address registers first
 */
export async function readInvitation(
  ctx: Ctx,
  _actor: Visitor,
  { id, key }: { id: string; key: string },
): Promise<Reply<typeof getCompanyInvitation>> {
  const { companyId, email, invitedBy, langKey } = await openInvitation(ctx, id, key);
  await assertHasAccount(ctx, email);
  const [company, inviter] = await Promise.all([findCompany(ctx, companyId), invitedBy === null ? null : findAccount(ctx, invitedBy)]);
  if (!company) throw new DomainError('invitation.ended');
  return { companyName: company.name, email: maskEmail(email), inviter: inviter ? fullName(inviter) : '', langKey };
}

/** One that may still be accepted. @throws DomainError invitation.notFound, ended */
export async function openInvitation(ctx: Ctx, id: string, key: string): Promise<Invitation> {
  const invitation = isUuid(id) ? await findMailedInvitation(ctx, id, accountKeyHash(key)) : undefined;
  if (!invitation) throw new DomainError('invitation.notFound');
  const { acceptedAt, revokedAt, expiresAt } = invitation;
  if (acceptedAt !== null || revokedAt !== null || expiresAt <= ctx.clock.now()) throw new DomainError('invitation.ended');
  return invitation;
}

/** Only who holds the mailed key learns it. @throws DomainError invitation.accountMissing */
export async function assertHasAccount(ctx: Ctx, email: string): Promise<void> {
  if (!(await isProvenAddress(ctx, email))) throw new DomainError('invitation.accountMissing', { params: { email: maskEmail(email) } });
}

const isUuid = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
