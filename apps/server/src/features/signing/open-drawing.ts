import { DomainError } from '@lavra/domain';
import type { Visitor } from '../../access/actor.ts';
import type { Ctx } from '../../context.ts';
import { findAwaited } from './drawings.store.ts';

/**
 * Whether the drawing that a QR code asks for is still waited for. Nothing is told of who waits, and for what.
 * @throws DomainError signer.drawingOver
 */
export async function openDrawing(ctx: Ctx, _actor: Visitor, key: string): Promise<{ until: string }> {
  const awaited = await findAwaited(ctx, key);
  if (!awaited) throw new DomainError('signer.drawingOver');
  return { until: awaited.until.toISOString() };
}
