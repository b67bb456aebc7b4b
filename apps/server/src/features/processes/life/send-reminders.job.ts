import { eachByItself } from '../../../jobs/each-by-itself.ts';
import { defineJob } from '../../../jobs/queue.ts';
import { listRemindableProcessIds } from '../processes.store.ts';
import { actOnProcess } from './act-on-process.ts';

/** Sends the reminders that are due, each once over all nodes. */
export const sendRemindersJob = defineJob<Record<string, never>>({
  name: 'send-reminders',
  cron: '*/10 * * * *',
  run: async (ctx) =>
    eachByItself(ctx, await listRemindableProcessIds(ctx), (id) => ctx.transaction((tx) => actOnProcess(tx, id, { kind: 'remind' }))),
});
