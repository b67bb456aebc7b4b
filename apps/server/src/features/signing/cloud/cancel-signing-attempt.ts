import { DomainError } from '@lavra/domain';
import type { SignerLink } from '../../../access/actor.ts';
import type { Ctx } from '../../../context.ts';
import { processIdOfSigner } from '../../processes/load-process.ts';
import { findLastAttempt } from '../signing.store.ts';
import { endAuthorization } from './end-authorization.ts';

/**
 * Gives up an attempt that waits for its holder; what is being signed goes on, and nothing to give up is no fault.
 * @throws DomainError signer.notFound
 */
export async function cancelSigningAttempt(ctx: Ctx, { signerId }: SignerLink, signatureProcessId: string): Promise<void> {
  if ((await processIdOfSigner(ctx, signerId)) !== signatureProcessId) throw new DomainError('signer.notFound');
  const attempt = await findLastAttempt(ctx, signerId);
  if (attempt?.state === 'authorizing') await endAuthorization(ctx, attempt.id, 'signing.canceled');
}
