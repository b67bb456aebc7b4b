import { DomainError } from '@lavra/domain';
import type { Tx } from '../../context.ts';
import { queueMail } from '../../mail/send-mail.job.ts';
import { newAccountKey } from './account-key.ts';
import { accountMadeMail } from './account.mail.ts';
import { findUserById, insertKey } from './accounts.store.ts';
import { mailActivation } from './mail-activation.ts';

const CONFIRMATION_HOURS = 72;

/**
 * Mails whoever has an account's address the link that confirms it: for one that its holder registered, to activate it; for one
 * that an administrator made, which has no password, to choose one, as after a lost password.
 * @throws DomainError request.notFound
 */
export async function mailConfirmation(tx: Tx, accountId: string): Promise<void> {
  const user = await findUserById(tx, accountId);
  if (!user) throw new DomainError('request.notFound');
  const { id: userId, email, firstName: name, langKey, passwordHash } = user;
  if (passwordHash !== null) return mailActivation(tx, { userId, email, name, langKey, deviceId: null });
  const { key, hash } = newAccountKey();
  const expiresAt = new Date(tx.clock.now().getTime() + CONFIRMATION_HOURS * 3_600_000);
  await insertKey(tx, { hash, userId, purpose: 'reset', expiresAt, deviceId: null });
  await queueMail(tx, email, langKey, accountMadeMail(tx, langKey, { name, key }));
}
