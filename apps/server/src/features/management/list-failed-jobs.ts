import { type listFailedJobs as call, jobsCountedTo, type Query, type Reply } from '@lavra/api';
import type { Person } from '../../access/actor.ts';
import type { Ctx } from '../../context.ts';
import { countFailed, listFailed } from './jobs.store.ts';
import { plainReason } from './plain-reason.ts';

/** Jobs that failed for good, the newest first. What they were about is not told: a process's id opens its page. */
export async function listFailedJobs(ctx: Ctx, _actor: Person, { page = 0, size = 20 }: Query<typeof call>): Promise<Reply<typeof call>> {
  const most = Math.max(jobsCountedTo, (page + 1) * size);
  const [rows, counted] = await Promise.all([listFailed(ctx, { offset: page * size, limit: size }), countFailed(ctx, most + 1)]);
  const items = rows.map(({ message, createdAt, failedAt, ...row }) => ({
    ...row,
    createdAt: createdAt.toISOString(),
    failedAt: failedAt?.toISOString() ?? null,
    reason: plainReason(message),
  }));
  return { items, total: Math.min(counted, most), ...(counted > most ? { isTotalExact: false } : {}) };
}
