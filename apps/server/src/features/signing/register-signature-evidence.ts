import { DomainError } from '@lavra/domain';
import type { SignerLink } from '../../access/actor.ts';
import type { Ctx } from '../../context.ts';
import { loadProcess } from '../processes/load-process.ts';

/**
 * Acknowledges to a signer of the process that the evidence of their act is kept: it was recorded with the act itself, by what the
 * server saw, so that nothing which is sent afterwards changes it.
 * @throws DomainError process.notFound, signer.notFound, also for a draft: nobody was invited to it
 */
export async function registerSignatureEvidence(ctx: Ctx, { signerId }: SignerLink, signatureProcessId: string): Promise<void> {
  const { status, signers } = await loadProcess(ctx, signatureProcessId);
  if (status === 'DRAFT' || !signers.some(({ id }) => id === signerId)) throw new DomainError('signer.notFound');
}
