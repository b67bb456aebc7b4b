import { DomainError, normalizeEmail } from '@lavra/domain';
import type { Ctx } from '../../context.ts';
import { listMailsTo } from '../../mail/mail.store.ts';
import { hasAccount } from '../accounts/personal-account.ts';
import { readMembership } from '../companies/personal-membership.ts';
import { type DataSubject, listIdsAbout } from '../processes/life/personal-processes.ts';

/** Whose id no account has: of such a person an address is all that others named. */
const NO_ACCOUNT = '00000000-0000-0000-0000-000000000000';

/**
 * Whoever was sent something to sign, was told of it or was asked into a company, and has no account.
 * @throws DomainError personalData.hasAccount: their account's page has more; personalData.none: nothing names this address
 */
export async function findPersonWithoutAccount(ctx: Ctx, typed: string) {
  const email = normalizeEmail(typed);
  if (await hasAccount(ctx, email)) throw new DomainError('personalData.hasAccount', { field: 'email' });
  const subject: DataSubject = { id: NO_ACCOUNT, email };
  const [ids, mails, { companyInvitations }] = await Promise.all([
    listIdsAbout(ctx, subject),
    listMailsTo(ctx, email),
    readMembership(ctx, subject),
  ]);
  if (ids.length + mails.length + companyInvitations.length === 0) throw new DomainError('personalData.none', { field: 'email' });
  return { subject, kept: { person: { email }, companyInvitations, mails } };
}
