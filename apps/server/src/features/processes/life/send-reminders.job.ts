import { defineJob } from '../../../jobs/queue.ts';
import { listRemindableProcessIds } from '../processes.store.ts';
import { actOnProcess } from './act-on-process.ts';

/** Sends the reminders that are due, each once over all nodes. */
export const sendRemindersJob = defineJob<Record<string, never>>({
  name: 'send-reminders',
  cron: '*/10 * * * *',
  async run(ctx) {
    for (const id of await listRemindableProcessIds(ctx)) await ctx.transaction((tx) => actOnProcess(tx, id, { kind: 'remind' }));
  },
});
