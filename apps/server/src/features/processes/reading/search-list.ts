import { limits } from '@lavra/domain';
import { wordsSearched } from '../../../db/search-words.ts';
import type { Ctx } from '../../../context.ts';
import { type ListOrder, type ListScope, searchIndex, type Slice, walkList } from './process-list.store.ts';

/** Ids of one page; where `total` is not exact, there are more. */
export interface FoundPage {
  ids: readonly string[];
  total: number;
  isTotalExact: boolean;
}

/** How far a search looks before it looks otherwise. */
const usualBounds = {
  /** Read of a list in its order, the second where the first is not enough: what is frequent is found before, and a small list is read whole. */
  near: [1000, 10_000],
  /** Taken from the index of words: what is not found on the way is rare. */
  rare: 1000,
  /** Read of a list for what is neither: frequent, but not among what comes first. */
  farther: 100_000,
};

/**
 * One page of what has all the words, in the list's order, without counting what has them: frequent words are met on the way through
 * the list, rare ones are found by their index. Only what is frequent and stands far behind costs more the more there is of it.
 */
export async function searchList(
  ctx: Ctx,
  list: ListScope,
  order: ListOrder,
  { text, offset, size, listed }: Slice & { text: string; listed: number },
  bounds = usualBounds,
): Promise<FoundPage> {
  const words = wordsSearched(text);
  if (words === null) return { ids: [], total: 0, isTotalExact: true };
  const counted = Math.max(limits.searchCountedTo, offset + size);
  const walk = (within: number) => walkList(ctx, list, order, { words, within, most: counted + 1 });
  let walked: readonly string[] = [];
  for (const within of bounds.near) {
    walked = await walk(within);
    if (walked.length > counted) return pageOf(walked, counted);
    if (listed <= within) return { ...pageOf(walked, 0), total: walked.length, isTotalExact: true };
  }
  const rare = await searchIndex(ctx, list, order, { words, most: bounds.rare + 1, offset, size });
  if (rare.found <= bounds.rare) return { ids: rare.ids, total: rare.found, isTotalExact: true };
  if (walked.length < offset + size) walked = await walk(bounds.farther);
  if (walked.length >= offset + size) return pageOf(walked, Math.max(bounds.rare, walked.length - 1));
  const all = await searchIndex(ctx, list, order, { words, most: null, offset, size });
  return { ids: all.ids, total: all.found, isTotalExact: true };

  function pageOf(ids: readonly string[], total: number): FoundPage {
    return { ids: ids.slice(offset, offset + size), total, isTotalExact: false };
  }
}
