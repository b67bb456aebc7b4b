import { DomainError } from '@lavra/domain';
import type { Ctx } from '../../context.ts';
import { findModel, type StoredModel } from './signature-models.store.ts';

/**
 * A model of the actor's own. Within a transaction it cannot be deleted before its end.
 * @throws DomainError model.notFound
 */
export async function getSignatureModel(ctx: Ctx, ownerId: string, id: string): Promise<StoredModel> {
  const model = await findModel(ctx, ownerId, id);
  if (!model) throw new DomainError('model.notFound');
  return model;
}
