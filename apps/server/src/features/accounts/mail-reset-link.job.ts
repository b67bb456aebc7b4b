import { recordAudit } from '../../audit/audit.store.ts';
import type { Ctx } from '../../context.ts';
import type { ProviderFacts } from '../../identity/identity.ts';
import { defineJob } from '../../jobs/queue.ts';
import { queueMail } from '../../mail/send-mail.job.ts';
import { newAccountKey } from './account-key.ts';
import { noPasswordMail, passwordResetMail } from './account.mail.ts';
import { holdUserById, insertKey, type User } from './accounts.store.ts';

const RESET_HOURS = 24;

/**
 * Mails the link for a new password when there is such an account, and nobody shut it; to a social account, by which provider it opens. A job is
 * kept for days: it names nobody's address. A second run mails a second link, which is harmless. The account is held meanwhile: whoever
 * gives it another address, or shuts it, kills the key of a link that was mailed before, and none is mailed to the address of before after it.
 */
export const mailResetLinkJob = defineJob<{ accountId: string | null }>({
  name: 'mail-reset-link',
  async run(ctx, { accountId }) {
    if (accountId === null) return;
    const { providers } = ctx.identity;
    await ctx.transaction(async (tx) => {
      const user = await holdUserById(tx, accountId);
      if (user && user.state !== 'deactivated') await mailLink(tx, user, providers);
    });
  },
});

async function mailLink(tx: Ctx, user: User, providers: readonly ProviderFacts[]): Promise<void> {
  if (user.loginType !== 'password') {
    // A link would make it a password that nobody chose it to have.
    const provider = providers.find(({ id }) => id === user.loginType)?.name ?? user.loginType;
    return queueMail(tx, user.email, user.langKey, noPasswordMail(tx, user.langKey, { name: user.firstName, provider }));
  }
  const { key, hash } = newAccountKey();
  const expiresAt = new Date(tx.clock.now().getTime() + RESET_HOURS * 3_600_000);
  await insertKey(tx, { hash, userId: user.id, purpose: 'reset', deviceId: null, expiresAt });
  await recordAudit(tx, { kind: 'password.asked', outcome: 'success', accountId: user.id });
  await queueMail(tx, user.email, user.langKey, passwordResetMail(tx, user.langKey, { name: user.firstName, key }));
}
