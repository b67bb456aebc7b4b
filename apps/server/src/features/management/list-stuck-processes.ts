import type { listStuckProcesses as call, Reply } from '@lavra/api';
import type { Person } from '../../access/actor.ts';
import type { Ctx } from '../../context.ts';
import { findAccount } from '../accounts/find-account.ts';
import { listStuckProcesses as listStuck } from '../processes/life/stuck-processes.ts';

/** Processes that do not go on by themselves: whose, why, since when. Titles and files are their owners' alone. */
export async function listStuckProcesses(ctx: Ctx, _actor: Person): Promise<Reply<typeof call>> {
  const stuck = await listStuck(ctx);
  const owners = new Map(
    await Promise.all([...new Set(stuck.map(({ ownerId }) => ownerId))].map(async (id) => [id, await findAccount(ctx, id)] as const)),
  );
  const items = stuck.map(({ ownerId, problemParams: { name: _fileName, ...params }, startedAt, waitingSince, ...row }) => ({
    ...row,
    owner: owners.get(ownerId)?.email ?? '',
    problemParams: params,
    startedAt: startedAt?.toISOString() ?? null,
    waitingSince: waitingSince?.toISOString() ?? null,
    canRetry: row.phase !== 'signing',
  }));
  return { items, total: items.length };
}
