import { PdfName, PdfString, isDict } from '../../pdf/objects.ts';
import type { PdfDict, PdfObject } from '../../pdf/objects.ts';
import { catalogOf } from '../../pdf/pages.ts';
import type { Change } from '../report.ts';
import { changedKeys } from './compare.ts';
import { isMetadata, isSecurityStore } from './evidence-kinds.ts';
import type { Review } from './review.ts';
import { isCatalogOnly } from './roles.ts';
import { reviewStructureRoot } from './structure-rules.ts';
import { maxWord } from './trailer-rules.ts';

const maxNesting = 8;

const quietCatalogKeys: Record<string, [Change['level'], Change['kind']] | null> = {
  AcroForm: null,
  DSS: ['archive', 'validation-data'],
  Extensions: ['archive', 'metadata'],
  Version: ['archive', 'metadata'],
  Metadata: ['archive', 'metadata'],
  StructTreeRoot: null,
  MarkInfo: null,
};

export async function reviewCatalog(review: Review): Promise<void> {
  const [was, is] = [await catalogOf(review.before), await catalogOf(review.after)];
  const keys = changedKeys(was.dict, is.dict);
  // Some writers give the catalog a new number: then it must be the same one, with what may be added.
  const isMoved = was.ref.num !== is.ref.num;
  if (isMoved && (await review.before.object(is.ref.num)) !== null) return review.report('forbidden', 'catalog', { num: is.ref.num });
  for (const key of keys) {
    const rule = quietCatalogKeys[key];
    const isBogus = key === 'Metadata' && !(await isMetadata(review.after, is.dict.get(key)));
    if (rule === undefined || isBogus || !isModest(key, is.dict.get(key) ?? null))
      review.report('forbidden', 'catalog', { num: is.ref.num });
    else if (rule !== null) review.report(...rule);
  }
  const isBogusStore = !(await isSecurityStore(review.after, is.dict.get('DSS')));
  if (isBogusStore && (await isSecurityStore(review.before, was.dict.get('DSS'))))
    review.report('forbidden', 'catalog', { num: is.ref.num });
  if (keys.includes('StructTreeRoot')) await reviewStructureRoot(review, was.dict, is.dict);
  if (keys.includes('MarkInfo')) review.report((await isMarkedNow(review, was.dict, is.dict)) ? 'fill' : 'forbidden', 'structure-tree');
  // Written over in place, it must be nothing else to anybody: its entries have names that a page could paint.
  if (review.changedObject(was.ref.num) !== undefined && !(await isCatalogOnly(review, was.ref.num))) return;
  review.claim(was.ref.num);
  review.claim(is.ref.num);
}

/** Written into the catalog itself, it must be read to open the file: short words, few levels, numbers that any reader counts with. */
function isModest(key: string, value: PdfObject, depth = 0): boolean {
  if (key === 'Version') return value instanceof PdfName && /^[12]\.\d$/.test(value.value);
  if (value instanceof PdfName) return value.value.length <= maxWord;
  if (value instanceof PdfString) return value.bytes.length <= maxWord;
  if (typeof value === 'number') return Math.abs(value) < 2 ** 31;
  if (depth > maxNesting) return false;
  if (Array.isArray(value)) return value.every((item) => isModest('', item, depth + 1));
  return !isDict(value) || [...value].every(([name, item]) => name.length <= maxWord && isModest('', item, depth + 1));
}

/** A document that said nothing of its structure says now that it has one. */
async function isMarkedNow({ after }: Review, was: PdfDict, is: PdfDict): Promise<boolean> {
  const info = await after.resolve(is.get('MarkInfo'));
  return !was.has('MarkInfo') && isDict(info) && info.size === 1 && info.get('Marked') === true;
}
