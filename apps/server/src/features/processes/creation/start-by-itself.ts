import { DomainError, type DomainErrorCode, HOUR_MS } from '@lavra/domain';
import { system } from '../../../access/actor.ts';
import type { Ctx } from '../../../context.ts';
import { tellUnsent } from '../life/process-problem.ts';
import { startProcess } from './start-process.ts';

/** Refusals that are nothing to write of: the draft is not complete, is none any more, or the next minute's try is another matter. */
const untold: readonly DomainErrorCode[] = [
  'process.signersRequired',
  'process.documentsRequired',
  'process.notFound',
  'request.conflict',
  'server.clockBehind',
];
/** A bound of the hour, which passes; one that is still refused then calls more people than ever may be. */
const HOURLY = 'process.tooManyInvitations';

/** Starts a draft that its client left without closing. Where that is refused, its owner, whose client was told of success all along, is told why. */
export async function startByItself(ctx: Ctx, draft: { id: string; touchedAt: Date }): Promise<void> {
  try {
    await startProcess(ctx, system, draft.id);
  } catch (error) {
    if (!(error instanceof DomainError)) return ctx.log.warn({ err: error, process: draft.id }, 'draft could not be started');
    const isPassing = error.code === HOURLY && ctx.clock.now().getTime() - draft.touchedAt.getTime() < HOUR_MS;
    if (isPassing || untold.includes(error.code)) return ctx.log.debug({ err: error }, 'draft not startable');
    // Told with the next try, and others are not kept waiting for it.
    await tellUnsent(ctx, draft, error).catch((fault: unknown) =>
      ctx.log.warn({ err: fault, process: draft.id }, 'nobody told of a draft'),
    );
  }
}
