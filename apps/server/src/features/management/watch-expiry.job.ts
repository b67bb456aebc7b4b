import { expiryState } from '@lavra/domain';
import type { Ctx } from '../../context.ts';
import { defineJob } from '../../jobs/queue.ts';
import { queueMail } from '../../mail/send-mail.job.ts';
import { listAdministrators } from '../accounts/list-administrators.ts';
import { expiryMail } from './administration.mail.ts';
import { enterWarning } from './expiry-warnings.store.ts';
import { watchedEnds } from './watched-ends.ts';

/** Every day: administrators are written to 60, 30 and 7 days before something ends, and when it has; of each once. */
export const watchExpiryJob = defineJob<Record<string, never>>({
  name: 'watch-expiry',
  cron: '7 9 * * *',
  exclusive: true,
  run: (ctx) => warnOfEnds(ctx),
});

/** One mail for all that is due. Who was away for a week is told of the last warning, not of each. */
async function warnOfEnds(ctx: Ctx): Promise<void> {
  const now = ctx.clock.now();
  const due = (await watchedEnds(ctx)).flatMap((end) => {
    const { warning, daysLeft } = expiryState(end.endsAt, now);
    return end.isHistory || warning === null ? [] : [{ ...end, warning, daysLeft }];
  });
  await ctx.transaction(async (tx) => {
    const news: typeof due = [];
    for (const end of due) if (await enterWarning(tx, { ...end, days: end.warning })) news.push(end);
    if (news.length === 0) return;
    for (const { email, firstName, langKey } of await listAdministrators(tx))
      await queueMail(tx, email, langKey, expiryMail(tx, langKey, { name: firstName, ends: news }));
  });
}
