import { DomainError } from '@lavra/domain';
import type { SignerLink } from '../../access/actor.ts';
import type { Ctx } from '../../context.ts';
import { loadProcess } from '../processes/load-process.ts';
import { lockSignatureProcess } from '../processes/load-process.ts';
import { recordEvent } from '../processes/life/record-event.ts';
import { findSigner, markOpened } from './signing.store.ts';

/**
 * Notes that a signer opened the documents: the first time only, and only while they are being waited for. Whoever reads a
 * process that has ended, or before their turn, changes nothing of its evidence.
 * @throws DomainError signer.notFound, also for a draft: nobody was invited to it
 */
export async function registerOpened(ctx: Ctx, { signerId, from }: SignerLink): Promise<void> {
  const signer = await findSigner(ctx, signerId);
  if (!signer) throw new DomainError('signer.notFound');
  await ctx.transaction(async (tx) => {
    await lockSignatureProcess(tx, signer.signature_process_id);
    const { row, signers } = await loadProcess(tx, signer.signature_process_id);
    if (row.status === 'DRAFT') throw new DomainError('signer.notFound');
    const isWaitedFor = row.status === 'IN_PROGRESS' && signers.some(({ id, status }) => id === signerId && status === 'SENT');
    if (!isWaitedFor || !(await markOpened(tx, signerId))) return;
    await recordEvent(tx, {
      signatureProcessId: signer.signature_process_id,
      type: 'signer.opened',
      signerId,
      data: { name: signer.name, ip: from.ip },
    });
  });
}
