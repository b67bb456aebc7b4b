import { hasExpired } from '@lavra/domain';
import type { Ctx } from '../../../context.ts';
import { defineJob } from '../../../jobs/queue.ts';
import { loadProcess } from '../load-process.ts';
import { listOverdueProcessIds, moveStatus } from '../processes.store.ts';
import { announceEnd } from './announce-end.ts';
import { recordEvent } from './record-event.ts';

/** Ends processes one of whose deadlines has passed. */
export const expireProcessesJob = defineJob<Record<string, never>>({
  name: 'expire-processes',
  cron: '* * * * *',
  async run(ctx) {
    for (const id of await listOverdueProcessIds(ctx, ctx.clock.now())) await expireProcess(ctx, id);
  },
});

/** Conditional: a signature that came first wins. */
export async function expireProcess(ctx: Ctx, id: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    const { state } = await loadProcess(tx, id);
    if (!hasExpired(state, tx.clock.now())) return;
    if (!(await moveStatus(tx, id, 'IN_PROGRESS', 'FINALIZED_BY_EXPIRATION', { finalized_at: tx.clock.now() }))) return;
    await recordEvent(tx, { signatureProcessId: id, type: 'process.expired' });
    await announceEnd(tx, id);
  });
}
