import type { Ctx, Tx } from '../../context.ts';
import * as store from './personal-evidence.store.ts';

/** What was recorded of the acts of these signers, those that came to nothing too. */
export function listActsOf(ctx: Ctx, signerIds: readonly string[]): ReturnType<typeof store.listActsOf> {
  return store.listActsOf(ctx, signerIds);
}

/** What was given for signatures that were never made is no evidence of anything. Call inside a transaction. */
export function eraseFailedActs(tx: Tx, signerIds: readonly string[]): Promise<void> {
  return store.deleteFailedActs(tx, signerIds);
}

/** Those of these signers for whom something is being signed at this moment; it may come to nothing. */
export function listActing(ctx: Ctx, signerIds: readonly string[]): Promise<string[]> {
  return store.listActing(ctx, signerIds);
}
