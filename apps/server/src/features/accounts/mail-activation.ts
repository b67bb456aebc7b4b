import type { Ctx } from '../../context.ts';
import { queueMail } from '../../mail/send-mail.job.ts';
import { newAccountKey } from './account-key.ts';
import { activationMail } from './account.mail.ts';
import { insertKey } from './accounts.store.ts';

const ACTIVATION_HOURS = 72;

/** Mails the link that confirms an account's address; in the browser that registered, where one did, it is enough by itself. */
export async function mailActivation(
  tx: Ctx,
  to: { userId: string; email: string; name: string; langKey: 'pt-br' | 'en' | 'es'; deviceId: string | null },
): Promise<void> {
  const { key, hash } = newAccountKey();
  const expiresAt = new Date(tx.clock.now().getTime() + ACTIVATION_HOURS * 3_600_000);
  await insertKey(tx, { hash, userId: to.userId, purpose: 'activation', expiresAt, deviceId: to.deviceId });
  await queueMail(tx, to.email, to.langKey, activationMail(tx, to.langKey, { name: to.name, key }));
}
