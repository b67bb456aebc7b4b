import { defineJob } from '../../../jobs/queue.ts';
import { lockLapsed } from './cloud.store.ts';
import { endIfWithoutToken } from './end-lapsed-claim.ts';

/** Comes when the token of a claimed attempt must be there; after a restart at once, if that moment has passed. */
export const endLapsedClaimJob = defineJob<{ attemptId: string }>({
  name: 'end-lapsed-claim',
  run: (ctx, { attemptId }) =>
    ctx.transaction(async (tx) => {
      const lapsed = await lockLapsed(tx, { attemptId });
      if (lapsed) await endIfWithoutToken(tx, lapsed);
    }),
});
