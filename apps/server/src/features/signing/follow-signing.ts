import type { Readable } from 'node:stream';
import { DomainError } from '@lavra/domain';
import type { SignerLink } from '../../access/actor.ts';
import type { Ctx } from '../../context.ts';
import { loadTurn } from '../processes/load-process.ts';

/** Tells a signer who waits that something changed of their process. @throws DomainError process.notFound, signer.notFound */
export async function followSigning(ctx: Ctx, actor: SignerLink, signatureProcessId: string): Promise<Readable> {
  const { signers, status } = await loadTurn(ctx, signatureProcessId);
  if (status === 'DRAFT' || !signers.some(({ id }) => id === actor.signerId)) throw new DomainError('signer.notFound');
  return ctx.changes.follow(signatureProcessId, actor.from.ip);
}
