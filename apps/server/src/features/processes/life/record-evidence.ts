import type { EventData } from '@lavra/domain';
import type { Ctx } from '../../../context.ts';
import { isEvidenceRegistered } from '../processes.store.ts';
import { actOnHeld, holdNewestProcess } from './act-on-process.ts';

/**
 * Records what a signer's program gave of their act, as `facts`: once for each signer. Call inside a transaction.
 * @throws DomainError process.notFound, signer.notFound
 */
export async function recordEvidence(tx: Ctx, signatureProcessId: string, signerId: string, facts: EventData): Promise<void> {
  const held = await holdNewestProcess(tx, signatureProcessId);
  if (await isEvidenceRegistered(tx, signatureProcessId, signerId)) return;
  await actOnHeld(tx, held, { kind: 'registerEvidence', signerId, facts });
}
