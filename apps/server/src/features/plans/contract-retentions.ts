import type { Ctx } from '../../context.ts';
import * as store from './contract-retentions.store.ts';

const AT_ONCE = 500;

/** Everybody who has a contract that keeps files for some days only; it covers their company too. */
export async function* everyRetainingOwner(ctx: Ctx): AsyncGenerator<string> {
  for (let after: string | null = null; ;) {
    const found: string[] = await store.listRetainingOwners(ctx, after, AT_ONCE);
    yield* found;
    if (found.length < AT_ONCE) return;
    after = found.at(-1) ?? null;
  }
}

/** The days that the contract which covers somebody keeps their files; null: without end. */
export function findContractDays(ctx: Ctx, userId: string): Promise<number | null> {
  return store.findContractDays(ctx, userId);
}
