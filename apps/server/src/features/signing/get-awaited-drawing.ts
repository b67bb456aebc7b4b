import { DomainError } from '@lavra/domain';
import type { SignerLink } from '../../access/actor.ts';
import type { Ctx } from '../../context.ts';
import { findDrawing } from './drawings.store.ts';

/**
 * The drawing that a telephone has delivered to the signer who waits for it, whatever node it came in at.
 * @throws DomainError signer.drawingOver
 */
export async function getAwaitedDrawing(ctx: Ctx, { signerId }: SignerLink, drawingId: string): Promise<{ image: string | null }> {
  const drawing = await findDrawing(ctx, signerId, drawingId);
  if (!drawing) throw new DomainError('signer.drawingOver');
  return { image: drawing.picture?.toString('base64') ?? null };
}
