import type { createAuthorizeTransactionCallback as call, Reply } from '@lavra/api';
import { DomainError } from '@lavra/domain';
import type { PendingAuthorization } from '@lavra/psc';
import type { Ctx } from '../../../context.ts';
import type { Visitor } from '../../../access/actor.ts';
import { cloudFault } from './cloud-fault.ts';
import { openPending } from './cloud-secret.ts';
import { findAttemptByState } from './cloud.store.ts';
import type { Attempt } from '../signing.store.ts';
import { endAuthorization } from './end-authorization.ts';
import { isSecretOf, sha256Hex } from './state-hash.ts';
import { reasonOver, useAuthorizationCode } from './use-authorization-code.ts';

export interface Callback {
  state: string;
  code: string | null;
  error: string | null;
  /** The secret whose SHA-256 came with the request. */
  browser: string;
}

/**
 * The window came back from the provider. `state` names the attempt, and only the browser that asked may end or go on with it:
 * a stranger's callback, even with the right state, changes nothing.
 * @throws DomainError signing.authorizationUnknown, authorizationUsed, authorizationRefused, authorizationExpired, provider*
 */
export async function finishCloudAuthorization(ctx: Ctx, _actor: Visitor, callback: Callback): Promise<Reply<typeof call>> {
  const attempt = await findAttemptByState(ctx, sha256Hex(callback.state));
  if (!attempt || !isSecretOf(attempt.browserHash, callback.browser)) throw new DomainError('signing.authorizationUnknown');
  const pending = await assertWaiting(ctx, attempt);
  await useAuthorizationCode(ctx, attempt.id, pending, await codeOf(ctx, attempt.id, pending, callback));
  return { statusCode: 200, processId: attempt.signatureProcessId, signerId: attempt.signerId };
}

async function assertWaiting(ctx: Ctx, attempt: Attempt): Promise<PendingAuthorization> {
  if (attempt.state !== 'authorizing') throw new DomainError(reasonOver(attempt));
  const pending = openPending(ctx, attempt.secret);
  // A telephone that was asked answers to us, not through a window.
  if (!pending || pending.mode === 'push') throw new DomainError('signing.authorizationUnknown');
  if (attempt.expiresAt && attempt.expiresAt > ctx.clock.now()) return pending;
  await endAuthorization(ctx, attempt.id, 'signing.authorizationExpired');
  throw new DomainError('signing.authorizationExpired');
}

async function codeOf(ctx: Ctx, attemptId: string, pending: PendingAuthorization, { state, code, error }: Callback): Promise<string> {
  try {
    return ctx.psc.readCallback(pending, { state, code: code ?? undefined, error: error ?? undefined });
  } catch (fault) {
    const { reason } = cloudFault(fault);
    ctx.log.info({ err: fault, attempt: attemptId }, 'a cloud authorisation ended without a code');
    await endAuthorization(ctx, attemptId, reason);
    throw new DomainError(reason);
  }
}
