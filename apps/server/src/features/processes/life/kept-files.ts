import type { Ctx } from '../../../context.ts';
import * as store from './kept-files.store.ts';

export type KeptBound = store.KeptBound;

/** Ended processes of an account whose people are to be told that their files go, noted as told; call inside the transaction that tells them. */
export function takeUnwarned(tx: Ctx, bound: KeptBound, endedBefore: Date, limit: number): Promise<string[]> {
  return store.takeUnwarned(tx, bound, endedBefore, limit);
}

/** Processes whose files are kept no longer, and whose people know it for a week; after `after`, by id. */
export function listOverdue(ctx: Ctx, bound: KeptBound, after: string | null, limit: number): Promise<string[]> {
  return store.listOverdue(ctx, bound, after, limit);
}

/** When the people of a process were told that its files go; null: never. */
export function findWarnedAt(ctx: Ctx, id: string): Promise<Date | null> {
  return store.findWarnedAt(ctx, id);
}
