import type { getCounterInfos as call, Reply } from '@lavra/api';
import type { Person } from '../../../access/actor.ts';
import type { Ctx } from '../../../context.ts';
import { readCounts } from '../process-counts.store.ts';

/** The three counters of the home screen. */
export async function getCounters(ctx: Ctx, actor: Person): Promise<Reply<typeof call>> {
  const { requested, received, pending } = await readCounts(ctx, actor.userId);
  return { requested, received, pending };
}
