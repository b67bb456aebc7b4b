import type { SignatureModel } from '@lavra/domain';
import type { Person } from '../../access/actor.ts';
import type { Ctx } from '../../context.ts';
import { holdRecord } from '../../entities/records.ts';
import { signatureModelRoom } from './signature-models.store.ts';

/**
 * A model of the owner's own, as it is now. Within a transaction it cannot be deleted before its end.
 * @throws DomainError model.notFound
 */
export async function getSignatureModel(ctx: Ctx, actor: Person, modelId: string): Promise<SignatureModel> {
  const { id: _id, version: _version, createdDate: _at, ...model } = await holdRecord(ctx, actor, signatureModelRoom, modelId);
  return model;
}
