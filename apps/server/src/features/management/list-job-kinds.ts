import { type listJobKinds as call, jobsCountedTo, type Reply } from '@lavra/api';
import type { Person } from '../../access/actor.ts';
import type { Ctx } from '../../context.ts';
import { listKinds } from './jobs.store.ts';

/** Each kind of job, over all nodes. */
export async function listJobKinds(ctx: Ctx, _actor: Person): Promise<Reply<typeof call>> {
  const items = (await listKinds(ctx, jobsCountedTo)).map(({ lastDoneAt, oldestSeconds: _told, ...row }) => ({
    ...row,
    lastDoneAt: lastDoneAt?.toISOString() ?? null,
  }));
  return { items, total: items.length };
}
