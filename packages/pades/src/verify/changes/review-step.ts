import { PdfString, isDict, isName } from '../../pdf/objects.ts';
import type { ChangedObject } from './changed-objects.ts';
import { changedKeys } from './compare.ts';
import { reviewFields } from './field-rules.ts';
import { reviewPages } from './page-rules.ts';
import { Review } from './review.ts';
import type { FoundChange, Step } from './review.ts';
import { reviewTrailer } from './trailer-rules.ts';
import { reviewCatalog } from './catalog-rules.ts';
import { reviewSecurityStore } from './store-rules.ts';
import { reviewLeftover } from './leftover-rules.ts';

/** Reviews one step. Throws what reading throws: the caller fails closed. */
export async function reviewStep(step: Step): Promise<FoundChange[]> {
  const review = new Review(step);
  for (const fault of step.changed.faults) review.report('forbidden', fault);
  for (const num of step.changed.unclear) review.report('forbidden', 'ambiguous-object', { num });
  for (const one of review.unclaimed) reviewNew(review, one);
  await reviewTrailer(review);
  await reviewCatalog(review);
  await reviewSecurityStore(review);
  await reviewFields(review);
  await reviewPages(review);
  await reviewProducer(review);
  for (const one of review.unclaimed) await reviewLeftover(review, one);
  return review.changes;
}

/** New objects are free — unless something signed already pointed at their number, whatever they call themselves. */
function reviewNew(review: Review, { num, before }: ChangedObject): void {
  if (before !== null) return;
  if (review.usages.isShown(num)) review.report('forbidden', 'hidden-object-revealed', { num });
  review.claim(num);
}

/** iText writes its name into the page tree when it saves the file again. */
async function reviewProducer(review: Review): Promise<void> {
  for (const { num, before, after } of review.unclaimed) {
    if (!isDict(before) || !isDict(after) || !isName(before.get('Type'), 'Pages')) continue;
    const keys = changedKeys(before, after);
    if (keys.join() !== 'ITXT' || !((await review.after.resolve(after.get('ITXT'))) instanceof PdfString)) continue;
    review.claim(num);
    review.report('archive', 'metadata');
  }
}
