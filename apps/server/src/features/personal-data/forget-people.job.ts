import { defineJob } from '../../jobs/queue.ts';
import { forgetAfterEnd } from '../processes/life/personal-processes.ts';
import { eraseFailedActs, listActing } from '../signing/personal-evidence.ts';

/** Every night: what erased people had left in processes that ran then, and which have ended since. */
export const forgetPeopleJob = defineJob<Record<string, never>>({
  name: 'forget-people',
  cron: '53 3 * * *',
  exclusive: true,
  expireInSeconds: 3600,
  run: (ctx) =>
    forgetAfterEnd(ctx, async (tx, signerIds) => {
      // Asked first: what comes to its end meanwhile is left for the night after.
      const acting = await listActing(tx, signerIds);
      await eraseFailedActs(tx, signerIds);
      return acting;
    }),
});
