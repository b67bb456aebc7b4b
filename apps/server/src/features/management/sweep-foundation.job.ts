import { defineJob } from '../../jobs/queue.ts';
import { deleteOutdated } from './sweep-foundation.store.ts';

/** Once a night: counters, keys, ended sessions, outdated answers of the outside world and the texts of mails that were sent. */
export const sweepFoundationJob = defineJob<Record<string, never>>({
  name: 'sweep-foundation',
  cron: '17 4 * * *',
  run: (ctx) => deleteOutdated(ctx),
});
