import type { Ctx } from '../../../context.ts';
import { defineJob } from '../../../jobs/queue.ts';
import { listOverdueProcessIds } from '../processes.store.ts';
import { actOnProcess } from './act-on-process.ts';

/** Ends processes one of whose deadlines has passed. */
export const expireProcessesJob = defineJob<Record<string, never>>({
  name: 'expire-processes',
  cron: '* * * * *',
  async run(ctx) {
    for (const id of await listOverdueProcessIds(ctx, ctx.clock.now())) await expireProcess(ctx, id);
  },
});

/** A signature that came first wins. */
export async function expireProcess(ctx: Ctx, id: string): Promise<void> {
  await ctx.transaction((tx) => actOnProcess(tx, id, { kind: 'expire' }));
}
