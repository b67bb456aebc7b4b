import type { Ctx } from '../../context.ts';
import * as store from './kept-bytes.store.ts';

/** The documents of these that are there, each with the bytes of all that is kept of it; 0: its files were removed. */
export function findKeptBytes(ctx: Ctx, documentIds: readonly string[]): Promise<Map<string, number>> {
  return store.findKeptBytes(ctx, documentIds);
}
