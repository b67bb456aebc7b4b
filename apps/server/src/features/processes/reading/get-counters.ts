import type { getCounterInfos as call, Reply } from '@lavra/api';
import type { Person } from '../../../access/actor.ts';
import type { Ctx } from '../../../context.ts';
import { countProcesses } from './process-list.store.ts';

/** The three counters of the home screen. */
export function getCounters(ctx: Ctx, actor: Person): Promise<Reply<typeof call>> {
  return countProcesses(ctx, actor);
}
