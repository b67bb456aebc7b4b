import { defineJob } from '../../../jobs/queue.ts';
import { foldCounts } from '../process-counts.store.ts';

/** Every minute: the differences that acts have added are folded, so that a counter stays a few rows. */
export const foldCountsJob = defineJob<Record<string, never>>({
  name: 'fold-counts',
  exclusive: true,
  async run(ctx) {
    while (await foldCounts(ctx));
  },
});
