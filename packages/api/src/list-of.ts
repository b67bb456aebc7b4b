import * as z from 'zod/mini';

/**
 * The reply of a call of `kind: 'list'`. On the wire an array, X-Total-Count, and X-Total-Exact: false where there are more than that.
 */
export function listOf<Item extends z.ZodMiniType>(item: Item) {
  return z.object({ items: z.array(item), total: z.number(), isTotalExact: z.optional(z.boolean()) });
}
