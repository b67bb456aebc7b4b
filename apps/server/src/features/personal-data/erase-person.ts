import { DomainError, normalizeEmail } from '@lavra/domain';
import type { Person } from '../../access/actor.ts';
import { recordAudit } from '../../audit/audit.store.ts';
import type { Ctx } from '../../context.ts';
import { forgetMailsTo } from '../../mail/mail.store.ts';
import { eraseMembership } from '../companies/personal-membership.ts';
import { eraseFromProcesses, listSignersOf } from '../processes/life/personal-processes.ts';
import { eraseFailedActs } from '../signing/personal-evidence.ts';
import { findPersonWithoutAccount } from './person-without-account.ts';

/**
 * Erases what is kept of a person who has no account and is no evidence (docs/personal-data.md): what ended processes say of how to reach
 * them, what they gave for signatures that were never made, invitations, mails. What they still are to sign stays until it has ended.
 * `confirmed`: the address once more, as it was typed.
 * @throws DomainError personalData.hasAccount, personalData.none, user.erasureUnconfirmed
 */
export async function erasePerson(ctx: Ctx, actor: Person, { email, confirmed }: { email: string; confirmed: string }): Promise<void> {
  if (normalizeEmail(confirmed) !== normalizeEmail(email)) throw new DomainError('user.erasureUnconfirmed', { field: 'confirmed' });
  await ctx.transaction(async (tx) => {
    const { subject } = await findPersonWithoutAccount(tx, email);
    await eraseFailedActs(tx, await listSignersOf(tx, subject));
    await eraseFromProcesses(tx, subject);
    await eraseMembership(tx, subject);
    await forgetMailsTo(tx, subject.email);
    await recordAudit(tx, { kind: 'person.erased', outcome: 'success', accountId: actor.userId, ip: actor.from.ip });
  });
}
