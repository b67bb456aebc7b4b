import { DomainError } from '@lavra/domain';
import type { Ctx } from '../../context.ts';
import { recordEvent } from '../processes/record-event.ts';
import { findSigner, markOpened } from './signing.store.ts';

/** Notes that a signer opened the documents; the first time only. */
export async function registerOpened(ctx: Ctx, signerId: string, ip: string): Promise<void> {
  const signer = await findSigner(ctx, signerId);
  if (!signer) throw new DomainError('signer.notFound');
  await ctx.transaction(async (tx) => {
    if (!(await markOpened(tx, signerId))) return;
    await recordEvent(tx, {
      signatureProcessId: signer.signature_process_id,
      type: 'signer.opened',
      signerId,
      data: { name: signer.name, ip },
    });
  });
}
