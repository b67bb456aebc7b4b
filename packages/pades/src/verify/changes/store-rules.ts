import { catalogOf } from '../../pdf/pages.ts';
import { eachReference } from '../../pdf/references.ts';
import type { Review } from './review.ts';

/** The DSS (EN 319 142-1 §5.4.2): validation data prove themselves, so they may grow and change — if nothing else leads there. */
export async function reviewSecurityStore(review: Review): Promise<void> {
  const { before } = review;
  const asked = [...review.unclaimed].filter(({ num }) => !review.usages.isShown(num));
  // Most steps touch nothing of it: it grows with every signature and is not walked for each.
  if (asked.length === 0) return;
  const root = await catalogOf(before);
  const own = new Set<number>();
  const queue: number[] = [];
  const meet = (num: number): void => {
    if (own.has(num) || own.size > 100_000) return;
    own.add(num);
    queue.push(num);
  };
  eachReference(root.dict.get('DSS') ?? null, meet);
  for (let num = queue.pop(); num !== undefined; num = queue.pop()) eachReference(await before.object(num), meet);
  for (const { num } of asked) {
    if (!own.has(num)) continue;
    review.claim(num);
    review.report('archive', 'validation-data');
  }
}
