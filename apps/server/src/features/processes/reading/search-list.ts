import { limits } from '@lavra/domain';
import { wordsSearched } from '../../../db/search-words.ts';
import type { Ctx } from '../../../context.ts';
import { type ListOrder, type ListScope, searchIndex, type Slice, walkList } from './process-list.store.ts';

/** Ids of one page; `total` is exact, or what there is at least. */
export interface FoundPage {
  ids: readonly string[];
  total: number;
  isTotalExact: boolean;
}

/** So far a search reads a list in its order: what is frequent is found before it ends, and a small list is read whole. */
const WITHIN = 10_000;
/** So many the index of words gives at once: what is not found on the way is rare. */
const RARE = 1000;
/** What is neither: frequent, but not among what comes first. */
const FARTHER = 100_000;

/**
 * One page of what has all the words, in the list's order, without counting what has them: frequent words are met on the way through
 * the list, rare ones are found by their index. Only what is frequent and stands far behind costs more the more there is of it.
 */
export async function searchList(
  ctx: Ctx,
  list: ListScope,
  order: ListOrder,
  { text, offset, size, listed }: Slice & { text: string; listed: number },
): Promise<FoundPage> {
  const words = wordsSearched(text);
  if (words === null) return { ids: [], total: 0, isTotalExact: true };
  const counted = Math.max(limits.searchCountedTo, offset + size);
  const pageOf = (ids: readonly string[]) => ids.slice(offset, offset + size);
  const walked = await walkList(ctx, list, order, { words, within: WITHIN, most: counted + 1 });
  if (walked.length > counted) return { ids: pageOf(walked), total: counted, isTotalExact: false };
  if (listed <= WITHIN) return { ids: pageOf(walked), total: walked.length, isTotalExact: true };

  const rare = await searchIndex(ctx, list, order, { words, most: RARE + 1, offset, size });
  if (rare.found <= RARE) return { ids: rare.ids, total: rare.found, isTotalExact: true };
  const total = Math.max(RARE, counted);
  if (walked.length >= offset + size) return { ids: pageOf(walked), total, isTotalExact: false };

  const farther = await walkList(ctx, list, order, { words, within: FARTHER, most: counted + 1 });
  if (farther.length >= offset + size) return { ids: pageOf(farther), total, isTotalExact: false };
  const all = await searchIndex(ctx, list, order, { words, most: null, offset, size });
  return { ids: all.ids, total: all.found, isTotalExact: true };
}
