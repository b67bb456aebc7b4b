import { DomainError } from '@lavra/domain';
import type { Ctx } from '../../context.ts';
import { deleteModel, findModel, isModelInUse } from './signature-models.store.ts';

/** @throws DomainError model.notFound; model.inUse while a process in progress uses it */
export async function deleteSignatureModel(ctx: Ctx, ownerId: string, id: string): Promise<void> {
  if (!(await findModel(ctx, ownerId, id))) throw new DomainError('model.notFound');
  if (await isModelInUse(ctx, id)) throw new DomainError('model.inUse');
  await deleteModel(ctx, ownerId, id);
}
