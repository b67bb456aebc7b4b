import type { Ctx, Tx } from '../../context.ts';
import * as store from './signature-models.store.ts';

/** The models of an account, as they are kept. */
export function readModels(ctx: Ctx, ownerId: string) {
  return store.listModelsOf(ctx, ownerId);
}

/** They go; what was agreed with them has a copy of its own. Call inside the transaction that erases their owner. */
export function eraseModels(tx: Tx, ownerId: string): Promise<void> {
  return store.deleteModelsOf(tx, ownerId);
}
