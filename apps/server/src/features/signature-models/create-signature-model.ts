import { randomUUID } from 'node:crypto';
import { checkedModel, DomainError, type SignatureModel } from '@lavra/domain';
import type { Ctx } from '../../context.ts';
import { insertModel, type StoredModel } from './signature-models.store.ts';

/** @throws DomainError model.nameTaken, and what `checkedModel` refuses */
export async function createSignatureModel(ctx: Ctx, ownerId: string, input: SignatureModel): Promise<StoredModel> {
  const created = await insertModel(ctx, { id: randomUUID(), ownerId, createdAt: ctx.clock.now() }, checkedModel(input));
  if (!created) throw new DomainError('model.nameTaken', { field: 'name' });
  return created;
}
