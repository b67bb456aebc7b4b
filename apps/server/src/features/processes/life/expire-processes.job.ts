import type { Ctx } from '../../../context.ts';
import { eachByItself } from '../../../jobs/each-by-itself.ts';
import { defineJob } from '../../../jobs/queue.ts';
import { listOverdueProcessIds } from '../processes.store.ts';
import { actOnProcess } from './act-on-process.ts';

/** Ends processes one of whose deadlines has passed. */
export const expireProcessesJob = defineJob<Record<string, never>>({
  name: 'expire-processes',
  run: async (ctx) => eachByItself(ctx, await listOverdueProcessIds(ctx, ctx.clock.now()), (id) => expireProcess(ctx, id)),
});

/** A signature that came first wins. */
export async function expireProcess(ctx: Ctx, id: string): Promise<void> {
  await ctx.transaction((tx) => actOnProcess(tx, id, { kind: 'expire' }));
}
