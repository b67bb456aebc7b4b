import type { DomainErrorCode } from '@lavra/domain';
import type { Ctx } from '../../../context.ts';
import { closeAttempt } from '../signing.store.ts';

/** Ends an attempt without a signature; the signer may try again. `params` fill the reason's sentence. False when it had ended already. */
export function failAttempt(
  ctx: Ctx,
  attemptId: string,
  reason: DomainErrorCode,
  params: Readonly<Record<string, string | number>> = {},
): Promise<boolean> {
  const state = reason === 'signing.authorizationExpired' ? 'expired' : 'failed';
  return closeAttempt(ctx, attemptId, { state, reason, params: Object.keys(params).length > 0 ? params : null });
}
