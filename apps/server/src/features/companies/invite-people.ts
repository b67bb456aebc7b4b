import { randomUUID } from 'node:crypto';
import type { CompanyInvitation } from '@lavra/api';
import { DomainError, fullName, invitedEmailFault, limits, normalizeEmail } from '@lavra/domain';
import { recordAudit } from '../../audit/audit.store.ts';
import type { Person } from '../../access/actor.ts';
import { limitRate } from '../../access/limits.store.ts';
import type { Ctx, Tx } from '../../context.ts';
import { queueMail } from '../../mail/send-mail.job.ts';
import { newAccountKey } from '../accounts/account-key.ts';
import { findAccount, listAccounts } from '../accounts/find-account.ts';
import { assertSeatsFor } from './assert-seats.ts';
import { invitationMail } from './company.mail.ts';
import { invitationReply } from './describe-company.ts';
import { upsertInvitation } from './invitations.store.ts';
import { assertMayRun, runCompany } from './may-run.ts';
import { listMembers } from './members.store.ts';

const DAY_MS = 86_400_000;

export interface InvitationInput {
  emails: readonly string[];
  /** Undefined: the actor's own. */
  companyId: string | undefined;
}

/**
 * Invites addresses into a company, all of them or none: each gets a link of its own, good once and for 14 days. One that was
 * invited before gets a new link, and the old one ends.
 * @throws DomainError company.none, notFound, emailsRequired, tooManyEmails; company.emailInvalid, emailFree, emailMember at `emails.<n>`; contract.accountUsersUsedUp; request.forbidden, tooMany
 */
export async function invitePeople(ctx: Ctx, actor: Person, input: InvitationInput): Promise<{ invitations: CompanyInvitation[] }> {
  const companyId = input.companyId ?? actor.company?.id;
  if (companyId === undefined) throw new DomainError('company.none');
  assertMayRun(actor, companyId);
  const emails = checkedEmails(input.emails);
  for (const _ of emails) await limitRate(ctx, 'company-invitations', actor.userId);
  const invitations = await ctx.transaction(async (tx) => {
    const companyName = await runCompany(tx, actor, companyId);
    await assertStrangers(tx, companyId, emails);
    await assertSeatsFor(tx, companyId, emails);
    const made: CompanyInvitation[] = [];
    for (const email of emails) made.push(await inviteOne(tx, actor, { companyId, companyName, email }));
    return made;
  });
  return { invitations };
}

/** Each address once, in the form that is kept. */
function checkedEmails(given: readonly string[]): string[] {
  if (given.length === 0) throw new DomainError('company.emailsRequired', { field: 'emails' });
  const max = limits.companyInvitationsPerCall;
  if (given.length > max) throw new DomainError('company.tooManyEmails', { field: 'emails', params: { max } });
  for (const [index, email] of given.entries()) {
    const fault = invitedEmailFault(email);
    if (fault) throw new DomainError(fault, { field: `emails.${index}` });
  }
  return [...new Set(given.map(normalizeEmail))];
}

async function assertStrangers(tx: Ctx, companyId: string, emails: readonly string[]): Promise<void> {
  const accounts = await listAccounts(
    tx,
    (await listMembers(tx, companyId)).map(({ userId }) => userId),
  );
  const index = emails.findIndex((email) => accounts.some((account) => account.email === email));
  if (index >= 0) throw new DomainError('company.emailMember', { field: `emails.${index}` });
}

/** The invitation and its mail. */
export async function inviteOne(
  tx: Tx,
  actor: Person,
  { companyId, companyName, email }: { companyId: string; companyName: string; email: string },
): Promise<CompanyInvitation> {
  const { key, hash: keyHash } = newAccountKey();
  const expiresAt = new Date(tx.clock.now().getTime() + limits.companyInvitationDays * DAY_MS);
  const { userId: invitedBy, langKey } = actor;
  const invitation = await upsertInvitation(tx, { id: randomUUID(), companyId, email, keyHash, invitedBy, langKey, expiresAt });
  const link = `${tx.publicUrl}/accept_invite/${invitation.id}?user=${key}`;
  const inviter = await findAccount(tx, invitedBy);
  const mail = invitationMail(tx, langKey, {
    inviter: inviter ? fullName(inviter) : actor.firstName,
    inviterEmail: actor.email,
    company: companyName,
    link,
  });
  await queueMail(tx, email, langKey, mail);
  await recordAudit(tx, { kind: 'company.invited', outcome: 'success', accountId: invitedBy, subjectId: `companies/${companyId}` });
  return invitationReply(tx, invitation);
}
