import { createHash } from 'node:crypto';
import type { Body, registerSignatureEvidence as call } from '@lavra/api';
import { DomainError } from '@lavra/domain';
import type { SignerLink } from '../../access/actor.ts';
import type { Ctx } from '../../context.ts';
import { recordEvidence } from '../processes/life/record-evidence.ts';
import { loadProcess } from '../processes/load-process.ts';

/**
 * Records what a signer's program says of their act as an event: by its SHA-256, for places and pictures are nobody's business in a log
 * that is kept for ever, and whoever has them can show that it was these. Once for each signer; a call that brings nothing, or that
 * comes after the process has ended, is acknowledged and recorded nowhere.
 * @throws DomainError process.notFound, signer.notFound, also for a draft: nobody was invited to it
 */
export async function registerSignatureEvidence(
  ctx: Ctx,
  { signerId, from }: SignerLink,
  { processId, signatureEvidence }: Body<typeof call>,
): Promise<void> {
  const { status, signers } = await loadProcess(ctx, processId);
  if (status === 'DRAFT' || !signers.some(({ id }) => id === signerId)) throw new DomainError('signer.notFound');
  if (signatureEvidence === undefined || status !== 'IN_PROGRESS') return;
  const facts = { ip: from.ip, evidence: createHash('sha256').update(JSON.stringify(signatureEvidence)).digest('hex') };
  await ctx.transaction((tx) => recordEvidence(tx, processId, signerId, facts));
}
