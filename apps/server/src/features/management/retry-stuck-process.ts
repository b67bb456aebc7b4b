import { DomainError } from '@lavra/domain';
import type { Person } from '../../access/actor.ts';
import { recordAudit } from '../../audit/audit.store.ts';
import type { Ctx } from '../../context.ts';
import { finalizeProcess, prepareDocuments, sendFinalization, sendPreparation } from '../processes/hand-over.ts';
import { findStuckProcess } from '../processes/life/stuck-processes.ts';
import { hurry } from './jobs.store.ts';

/**
 * Has the preparation or the end of a process tried now; a job that waits for its next try is brought forward, and one that runs
 * is left alone. @throws DomainError process.notFound, process.notStuck
 */
export async function retryStuckProcess(ctx: Ctx, actor: Person, { id }: { id: string }): Promise<void> {
  await ctx.transaction(async (tx) => {
    const found = await findStuckProcess(tx, id);
    if (!found) throw new DomainError('process.notFound');
    if (found.phase === 'signing') throw new DomainError('process.notStuck');
    const [job, send] =
      found.phase === 'preparation' ? ([prepareDocuments, sendPreparation] as const) : ([finalizeProcess, sendFinalization] as const);
    await send(tx, found);
    await hurry(tx, { name: job.name, key: id });
    await recordAudit(tx, {
      kind: 'installation.retried',
      outcome: 'success',
      accountId: actor.userId,
      subjectId: id,
      details: { job: job.name },
      ip: actor.from.ip,
    });
  });
}
