import { recordAudit } from '../../audit/audit.store.ts';
import { eachByItself } from '../../jobs/each-by-itself.ts';
import { defineJob } from '../../jobs/queue.ts';
import { findForgotten, removeUnconfirmed } from './unconfirmed.store.ts';

const KEPT_DAYS = 7;
const AT_ONCE = 1000;

/**
 * Once a night: registrations that nobody confirmed within a week, and whose links are dead, are gone with the name and the address
 * that somebody typed. One that is being confirmed at this moment stays.
 */
export const sweepUnconfirmedJob = defineJob<Record<string, never>>({
  name: 'sweep-unconfirmed',
  cron: '37 4 * * *',
  async run(ctx) {
    const before = new Date(ctx.clock.now().getTime() - KEPT_DAYS * 86_400_000);
    await eachByItself(ctx, await findForgotten(ctx, before, AT_ONCE), (id) =>
      ctx.transaction(async (tx) => {
        if (await removeUnconfirmed(tx, { id }))
          await recordAudit(tx, { kind: 'account.removed', outcome: 'success', reason: 'account.notActivated', accountId: id });
      }),
    );
  },
});
