import { DomainError, parseEmail } from '@lavra/domain';
import type { Person } from '../../access/actor.ts';
import { limitRate } from '../../access/limits.store.ts';
import { recordAudit } from '../../audit/audit.store.ts';
import type { Ctx } from '../../context.ts';
import { queueMail } from '../../mail/send-mail.job.ts';
import { formerEmailMail, newEmailMail } from './account.mail.ts';
import { newAccountKey } from './account-key.ts';
import { findUserByEmail, findUserById, lockUser, type User } from './accounts.store.ts';
import { insertEmailKey } from './email-changes.store.ts';
import { verifyPassword } from './password-hash.ts';

const CHANGE_HOURS = 24;

/** A new address, asked for by who knows the account's password. */
export interface EmailChange {
  email: string;
  /** What the password was checked against: a change of it meanwhile ends the asking. */
  passwordHash: string | null;
}

/**
 * What becomes of an address that the settings send: null when it is the account's own. A session alone does not move an account to
 * another address: whoever finds a computer open would have it for good.
 * @throws DomainError account.emailInvalid, emailOfProvider, passwordRequired, incorrectPassword, userexists, request.tooMany
 */
export async function checkedEmailChange(
  ctx: Ctx,
  actor: Person,
  given: { email: string; currentPassword: string | undefined },
): Promise<EmailChange | null> {
  const email = parseEmail(given.email);
  if (email === null) throw new DomainError('account.emailInvalid', { field: 'email' });
  const user = await findUserById(ctx, actor.userId);
  if (!user || user.email === email) return null;
  if (user.loginType !== 'password' || ctx.config.sso) throw new DomainError('account.emailOfProvider', { field: 'email' });
  if (!given.currentPassword) throw new DomainError('account.passwordRequired', { field: 'currentPassword' });
  await limitRate(ctx, 'change-email', user.id);
  if (!(await verifyPassword(user.passwordHash, given.currentPassword))) {
    const entry = { kind: 'email.asked', outcome: 'refused', reason: 'account.incorrectPassword' } as const;
    await recordAudit(ctx, { ...entry, accountId: user.id, ip: actor.from.ip });
    throw new DomainError('account.incorrectPassword', { field: 'currentPassword' });
  }
  const holder = await findUserByEmail(ctx, email);
  // Whoever registered it and never confirmed it does not keep it from who reads its mail.
  if (holder && holder.state !== 'notActivated') throw new DomainError('account.userexists', { field: 'email' });
  return { email, passwordHash: user.passwordHash };
}

/** Mails the new address its link, and the present one that it was asked for; until the link is opened nothing changes. */
export async function askEmailChange(tx: Ctx, actor: Person, { email, passwordHash }: EmailChange): Promise<void> {
  const user = await lockUser(tx, actor.userId);
  if (user.passwordHash !== passwordHash) throw new DomainError('account.incorrectPassword', { field: 'currentPassword' });
  const { key, hash } = newAccountKey();
  const expiresAt = new Date(tx.clock.now().getTime() + CHANGE_HOURS * 3_600_000);
  await insertEmailKey(tx, { hash, userId: user.id, newEmail: email, expiresAt });
  await queueMail(tx, email, user.langKey, newEmailMail(tx, user.langKey, { name: user.firstName, key }));
  await tellFormerEmail(tx, user, 'emailAsked', email);
  await recordAudit(tx, { kind: 'email.asked', outcome: 'success', accountId: user.id, ip: actor.from.ip });
}

/** Whoever reads the address of before learns of it. */
export async function tellFormerEmail(tx: Ctx, user: User, what: 'emailAsked' | 'emailChanged', email: string): Promise<void> {
  await queueMail(tx, user.email, user.langKey, formerEmailMail(tx, user.langKey, { what, name: user.firstName, email }));
}
