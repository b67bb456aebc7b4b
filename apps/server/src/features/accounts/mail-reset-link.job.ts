import { recordAudit } from '../../audit/audit.store.ts';
import { defineJob } from '../../jobs/queue.ts';
import { queueMail } from '../../mail/send-mail.job.ts';
import { newAccountKey } from './account-key.ts';
import { noPasswordMail, passwordResetMail } from './account.mail.ts';
import { findUserById, insertKey } from './accounts.store.ts';

const RESET_HOURS = 24;

/** Mails the link for a new password when there is such an account, and nobody shut it; to a social account, by which provider it opens. A job is kept for days: it names nobody's address. A second run mails a second link, which is harmless. */
export const mailResetLinkJob = defineJob<{ accountId: string | null }>({
  name: 'mail-reset-link',
  async run(ctx, { accountId }) {
    const user = accountId === null ? undefined : await findUserById(ctx, accountId);
    if (!user || user.state === 'deactivated') return;
    if (user.loginType !== 'password') {
      // A link would make it a password that nobody chose it to have.
      const provider = ctx.identity.providers.find(({ id }) => id === user.loginType)?.name ?? user.loginType;
      const content = noPasswordMail(ctx, user.langKey, { name: user.firstName, provider });
      return ctx.transaction((tx) => queueMail(tx, user.email, user.langKey, content));
    }
    const { key, hash } = newAccountKey();
    await ctx.transaction(async (tx) => {
      await insertKey(tx, {
        hash,
        userId: user.id,
        purpose: 'reset',
        deviceId: null,
        expiresAt: new Date(tx.clock.now().getTime() + RESET_HOURS * 3_600_000),
      });
      await recordAudit(tx, { kind: 'password.asked', outcome: 'success', accountId: user.id });
      await queueMail(tx, user.email, user.langKey, passwordResetMail(tx, user.langKey, { name: user.firstName, key }));
    });
  },
});
