import type { DomainErrorCode } from '@lavra/domain';
import type { Ctx } from '../../../context.ts';
import { closeAttempt } from '../signing.store.ts';

/** Ends an attempt without a signature; the signer may try again. False when it had ended already. */
export function failAttempt(ctx: Ctx, attemptId: string, reason: DomainErrorCode): Promise<boolean> {
  return closeAttempt(ctx, attemptId, reason === 'signing.authorizationExpired' ? 'expired' : 'failed', reason);
}
