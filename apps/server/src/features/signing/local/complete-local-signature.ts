import type { Body, completeLocalSignature as call } from '@lavra/api';
import { DomainError } from '@lavra/domain';
import { PadesError } from '@lavra/pades';
import type { SignerLink } from '../../../access/actor.ts';
import type { Ctx } from '../../../context.ts';
import { completeAttempt, keepSignatureValues } from '../digital/complete-attempt.ts';
import { markSigning } from '../digital/digital.store.ts';
import { failAttempt } from '../digital/fail-attempt.ts';
import { findAttempt } from '../signing.store.ts';
import { completeLocalJob } from './complete-local.job.ts';

/**
 * The values from the signer's computer. Sent twice they act once. An answer means that the signature is recorded, unless its
 * timestamp cannot be had now: then the values are kept, and a job goes on with them while the signer's page waits.
 * @throws DomainError signing.valueInvalid, signing.prepareAgain, and what `assertMayAct` refuses
 */
export async function completeLocalSignature(ctx: Ctx, actor: SignerLink, input: Omit<Body<typeof call>, 'signerId'>): Promise<void> {
  const attempt = await findAttempt(ctx, input.attemptId);
  const isTheirs = attempt?.signerId === actor.signerId && attempt.signatureProcessId === input.processId && attempt.kind === 'local';
  if (!isTheirs) throw new DomainError('signing.prepareAgain');
  // Signed, or its values are kept and a job goes on with them.
  if (attempt.state === 'signed' || attempt.state === 'signing') return;
  try {
    if (attempt.state !== 'authorizing' || (attempt.expiresAt ?? ctx.clock.now()) <= ctx.clock.now())
      throw new DomainError('signing.prepareAgain');
    const values = input.signatures.map(({ documentId, value }) => ({ documentId, value: new Uint8Array(Buffer.from(value, 'base64')) }));
    await keepSignatureValues(ctx, attempt.id, values);
    await completeAttempt(ctx, attempt.id);
  } catch (error) {
    // The same values, sent twice at once: one of the two has signed.
    if ((await findAttempt(ctx, attempt.id))?.state === 'signed') return;
    if (isTimestampFault(error) && (await goOnLater(ctx, attempt.id))) return;
    if (error instanceof DomainError) await failAttempt(ctx, attempt.id, error.code, error.params);
    throw error;
  }
}

const isTimestampFault = (error: unknown): boolean => error instanceof PadesError && error.code.startsWith('TIMESTAMP_');

/** False: the attempt was closed meanwhile. */
function goOnLater(ctx: Ctx, attemptId: string): Promise<boolean> {
  return ctx.transaction(async (tx) => {
    // The same values, sent twice at once: a job may be going on with them already.
    if (!(await markSigning(tx, attemptId, 'signing.timestampUnavailable'))) return (await findAttempt(tx, attemptId))?.state === 'signing';
    await tx.jobs.send(completeLocalJob, { attemptId }, { key: attemptId });
    return true;
  });
}
