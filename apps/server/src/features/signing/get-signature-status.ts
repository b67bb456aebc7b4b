import type { getSignatureStatus as call, Reply } from '@lavra/api';
import { DomainError, refusalToAct } from '@lavra/domain';
import type { SignerLink } from '../../access/actor.ts';
import type { Ctx } from '../../context.ts';
import { loadTurn } from '../processes/load-process.ts';
import { findLastAttempt } from './signing.store.ts';

/** What the signer's page polls: reads, never changes, and reads no more than it tells. */
export async function getSignatureStatus(ctx: Ctx, actor: SignerLink, signatureProcessId: string): Promise<Reply<typeof call>> {
  const { signerId } = actor;
  const loaded = await loadTurn(ctx, signatureProcessId);
  const signer = loaded.signers.find(({ id }) => id === signerId);
  if (!signer || loaded.status === 'DRAFT') throw new DomainError('signer.notFound');
  const finalized = loaded.status === 'FINALIZED_WITH_SUCCESS';
  if (signer.status === 'SIGNED') return { status: 'SIGNED', reason: 'signer.alreadySigned', finalized };
  if (signer.status === 'REJECTED') return { status: 'REJECTED', reason: 'signer.alreadyRejected', finalized };
  const refusal = refusalToAct(loaded, signerId, ctx.clock.now());
  // It may be somebody else's deadline that ended it.
  if (loaded.status === 'FINALIZED_BY_EXPIRATION') return { status: 'EXPIRED', reason: refusal, finalized };
  if (loaded.status === 'CREATOR_CANCELED') return { status: 'CANCELED', reason: 'process.notInProgress', finalized };
  if (loaded.status !== 'IN_PROGRESS') return { status: 'REJECTED', reason: 'process.notInProgress', finalized };
  const attempt = await findLastAttempt(ctx, signerId);
  // Recorded between our two reads: the signer's row, read first, does not know yet.
  if (attempt?.state === 'signed') return { status: 'SIGNED', reason: 'signer.alreadySigned', finalized };
  if (attempt?.state === 'signing') return { status: 'SIGNING', reason: attempt.reason, finalized };
  if (refusal === 'signer.deadlinePassed') return { status: 'EXPIRED', reason: refusal, finalized };
  if (refusal) return { status: 'WAITING', reason: refusal, finalized };
  if (attempt?.state === 'authorizing') {
    // The attempt may be over before anybody has said so: a poll never changes anything.
    if (attempt.expiresAt && attempt.expiresAt > ctx.clock.now()) return { status: 'AUTHORIZING', reason: null, finalized };
    return { status: 'ERROR_WHILE_SIGNING', reason: 'signing.authorizationExpired', finalized };
  }
  // Given up by the signer's own hand: they need not be told.
  if (attempt?.reason === 'signing.canceled') return { status: 'SENT', reason: null, finalized };
  if (attempt?.state === 'failed' || attempt?.state === 'expired')
    return {
      status: 'ERROR_WHILE_SIGNING',
      reason: attempt.reason,
      finalized,
      ...(attempt.reasonParams ? { reasonParams: attempt.reasonParams } : {}),
    };
  return { status: 'SENT', reason: null, finalized };
}
