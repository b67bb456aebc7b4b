import type { DomainErrorCode } from '@lavra/domain';
import type { Ctx } from '../../../context.ts';
import { failAttempt } from '../digital/fail-attempt.ts';
import { lockWaiting } from './cloud.store.ts';

/** Ends an attempt that still waits for its holder; one that is being signed goes on. False when it did not wait any more. */
export function endAuthorization(ctx: Ctx, attemptId: string, reason: DomainErrorCode): Promise<boolean> {
  return ctx.transaction(async (tx) => {
    if (!(await lockWaiting(tx, attemptId))) return false;
    await failAttempt(tx, attemptId, reason);
    return true;
  });
}
