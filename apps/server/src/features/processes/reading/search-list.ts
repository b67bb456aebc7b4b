import { limits } from '@lavra/domain';
import { findPage, type FoundPage } from '../../../db/find-page.ts';
import { wordsSearched } from '../../../db/search-words.ts';
import type { Ctx } from '../../../context.ts';
import { type ListOrder, type ListScope, partsOfWords, searchIndex, type Slice, walkList } from './process-list.store.ts';

/** One page of what has all the words, in the list's order; without any, of all that the list has. */
export async function searchList(
  ctx: Ctx,
  list: ListScope,
  order: ListOrder,
  { text, offset, size, listed }: Slice & { text: string; listed: number },
  bounds?: Parameters<typeof findPage>[1],
): Promise<FoundPage> {
  const words = text === '' ? [] : wordsSearched(text);
  if (words === null) return { ids: [], total: 0, isTotalExact: true };
  let parts: ReturnType<typeof partsOfWords> | undefined;
  return findPage(
    {
      listed,
      offset,
      size,
      counted: limits.searchCountedTo,
      walk: (within, most) => walkList(ctx, list, order, { words, within, most }),
      async lookUp(most) {
        parts ??= partsOfWords(ctx, list, words);
        return searchIndex(ctx, list, order, { words, parts: await parts, most, offset, size });
      },
    },
    bounds,
  );
}
