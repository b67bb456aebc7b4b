import { checkedModel, DomainError, type SignatureModel } from '@lavra/domain';
import type { Ctx } from '../../context.ts';
import { changeModel, type StoredModel } from './signature-models.store.ts';

/**
 * Changes a model for what will be created with it; processes that exist keep it as it was.
 * @throws DomainError model.notFound, nameTaken, and what `checkedModel` refuses
 */
export async function updateSignatureModel(ctx: Ctx, ownerId: string, id: string, input: SignatureModel): Promise<StoredModel> {
  const changed = await changeModel(ctx, ownerId, id, checkedModel(input));
  if (changed === 'taken') throw new DomainError('model.nameTaken', { field: 'name' });
  if (!changed) throw new DomainError('model.notFound');
  return changed;
}
