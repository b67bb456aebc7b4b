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
export async function findContractDays(ctx: Ctx, userId: string): Promise<number | null> {
  return (await listContractDays(ctx, [userId])).get(userId) ?? null;
}

/** The same of many; whose are kept without end is left out. */
export function listContractDays(ctx: Ctx, userIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  return store.listContractDays(ctx, userIds);
}
