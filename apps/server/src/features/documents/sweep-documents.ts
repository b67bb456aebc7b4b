import type { Ctx } from '../../context.ts';
import * as store from './documents.store.ts';

/** Removes documents that were uploaded before `before` and never taken by a process. */
export function deleteAbandonedDocuments(ctx: Ctx, before: Date): Promise<number> {
  return ctx.transaction((tx) => store.deleteAbandonedDocuments(tx, before));
}
