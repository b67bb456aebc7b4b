import { PdfStream, dictOf, isName } from '../../pdf/objects.ts';
import type { PdfObject } from '../../pdf/objects.ts';
import type { Change } from '../report.ts';
import { holdsObjects } from './appended.ts';
import type { ChangedObject } from './changed-objects.ts';
import { isMetadata } from './evidence-kinds.ts';
import type { Review } from './review.ts';
import { reviewStructureObject } from './structure-rules.ts';
import type { Usage } from './usages.ts';

/**
 * What is reached only through metadata, extensions or the logical structure (ISO 32000-2 §14.7) paints nothing, and may
 * change; of the rest, only what nobody refers to.
 */
export async function reviewLeftover(review: Review, changed: ChangedObject): Promise<void> {
  const { num, before, after } = changed;
  review.claim(num);
  // Its objects would change without an entry of theirs.
  if (holdsObjects(before)) return review.report('forbidden', 'object', { num });
  if (!review.usages.isReachable(num)) return;
  const usages = review.usages.to(num);
  if (review.usages.isShown(num)) return review.report('forbidden', kindOf(before, usages), { num });
  const keeps = (one: PdfObject) => !(one instanceof PdfStream) || isName(one.dict.get('Type'), 'Metadata');
  if (!keeps(before) || !keeps(after)) return review.report('forbidden', kindOf(before, usages), { num });
  const isQuiet = usages.every(({ key }) => key === 'Metadata' || key === 'Extensions');
  const isBogus = usages.some(({ key }) => key === 'Metadata') && !(await isMetadata(review.after, after));
  if (isQuiet) review.report(isBogus ? 'forbidden' : 'archive', isBogus ? 'object' : 'metadata', { num });
  else await reviewStructureObject(review, changed);
}

function kindOf(before: PdfObject, usages: readonly Usage[]): Change['kind'] {
  const type = dictOf(before)?.get('Type');
  if (isName(type, 'Pages')) return 'page-tree';
  const paints = ['Contents', 'XObject', 'Font', 'Resources', 'Annots', 'Page', 'ExtGState', 'Pattern'];
  if (isName(type, 'Page') || usages.some(({ key }) => paints.includes(key))) return 'page-content';
  return 'object';
}
