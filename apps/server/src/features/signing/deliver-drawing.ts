import { DomainError } from '@lavra/domain';
import type { Visitor } from '../../access/actor.ts';
import type { Ctx } from '../../context.ts';
import { readSignatureImage } from '../../paper/signature-image.ts';
import { findAwaited, keepDrawing } from './drawings.store.ts';

/**
 * Hands a drawing to the computer that waits for it, once: the person there sees it and decides. It signs nothing.
 * @throws DomainError signer.drawingOver, evidence.image*
 */
export async function deliverDrawing(ctx: Ctx, actor: Visitor, { key, image }: { key: string; image: string }): Promise<void> {
  // Before a stranger's picture costs a worker anything.
  if (!(await findAwaited(ctx, key))) throw new DomainError('signer.drawingOver');
  const { bytes } = await readSignatureImage(ctx, image, actor.from.ip, 'image');
  if (!(await keepDrawing(ctx, key, bytes))) throw new DomainError('signer.drawingOver');
}
