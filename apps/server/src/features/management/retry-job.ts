import { DomainError } from '@lavra/domain';
import type { Person } from '../../access/actor.ts';
import { recordAudit } from '../../audit/audit.store.ts';
import type { Ctx } from '../../context.ts';
import { hasKind, isWaitingAlready } from './jobs.store.ts';

/** Has a job that failed for good tried once more. @throws DomainError request.notFound, job.notFailed */
export async function retryJob(ctx: Ctx, actor: Person, { name, id }: { name: string; id: string }): Promise<void> {
  if (!(await hasKind(ctx, name))) throw new DomainError('request.notFound');
  try {
    await ctx.transaction(async (tx) => {
      if (!(await tx.jobs.retry(name, id))) throw new DomainError('job.notFailed');
      await recordAudit(tx, {
        kind: 'installation.retried',
        outcome: 'success',
        accountId: actor.userId,
        subjectId: `jobs/${name}`,
        ip: actor.from.ip,
      });
    });
  } catch (error) {
    throw isWaitingAlready(error) ? new DomainError('job.notFailed') : error;
  }
}
