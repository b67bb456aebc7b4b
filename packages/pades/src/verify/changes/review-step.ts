import { PdfName, PdfRef, PdfStream, PdfString, dictOf, isDict, isName } from '../../pdf/objects.ts';
import type { PdfDict, PdfObject } from '../../pdf/objects.ts';
import type { Pdf } from '../../pdf/pdf.ts';
import { catalogOf } from '../../pdf/pages.ts';
import type { Change } from '../report.ts';
import { holdsObjects } from './appended.ts';
import type { ChangedObject } from './changed-objects.ts';
import { changedKeys, eachReference, sameResolved, sameValue } from './compare.ts';
import { reviewFields } from './field-rules.ts';
import { isMetadata, isSecurityStore } from './evidence-kinds.ts';
import { reviewPages } from './page-rules.ts';
import { Review } from './review.ts';
import { isCatalogOnly } from './roles.ts';
import { reviewStructureObject, reviewStructureRoot } from './structure-rules.ts';
import type { FoundChange, Step } from './review.ts';
import type { Usage } from './usages.ts';

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

/** No name or string that belongs into a trailer or a catalog is longer. */
const maxWord = 127;
const maxNesting = 8;

/** Of a section's own bookkeeping (ISO 32000-2 §7.5.5, §7.5.8.2). */
const bookkeeping = new Set(['Size', 'Prev', 'ID', 'Info', 'Type', 'W', 'Index', 'Length', 'Filter', 'DecodeParms', 'XRefStm']);

async function reviewTrailer(review: Review): Promise<void> {
  const { before, after } = review;
  for (const trailer of review.trailers) await reviewTrailerEntries(review, trailer);
  // Readers that believe Size lose the objects behind it, or find some that they did not have.
  const [had, has] = [before.trailer.get('Size'), after.trailer.get('Size')];
  const beyond = before.sections.some(({ limit }) => typeof had === 'number' && limit > had);
  if (typeof had === 'number' && (typeof has !== 'number' || has < had || (beyond && has !== had))) review.report('forbidden', 'trailer');
  const info = before.trailer.get('Info');
  const isMoved = !sameValue(info ?? null, after.trailer.get('Info') ?? null);
  if (isMoved && !(await sameResolved(before, info, after, after.trailer.get('Info')))) review.report('archive', 'metadata');
  const changed = info instanceof PdfRef ? review.changedObject(info.num) : undefined;
  if (changed === undefined || !isDict(changed.before) || !isDict(changed.after)) return;
  const { before: was, after: is } = changed;
  // A page or a graphics state that passes for document information is not altered this way.
  if (review.usages.isShown(changed.num)) return;
  const plain = changedKeys(was, is).every((key) => {
    const value = is.get(key) ?? null;
    return value === null || value instanceof PdfString || value instanceof PdfName;
  });
  if (!plain) return;
  review.claim(changed.num);
  review.report('archive', 'metadata');
}

/** Every trailer that was appended, the newest or not: a root that nobody follows today is followed by whoever cuts the file. */
async function reviewTrailerEntries(review: Review, trailer: PdfDict): Promise<void> {
  const { before, after } = review;
  for (const key of changedKeys(before.trailer, trailer)) {
    if (!(await isOfItsKindInTrailer(after, key, trailer.get(key)))) review.report('forbidden', 'trailer');
    if (bookkeeping.has(key) || (key === 'AdditionalStreams' && (await leadsNowhere(after, trailer.get(key))))) continue;
    // Of a catalog under a new number, `reviewCatalog` speaks.
    if (key === 'Root' && (await isNewNumber(review, trailer))) continue;
    if (trailer.has(key) || key === 'Root' || key === 'Encrypt') review.report('forbidden', 'trailer');
  }
}

/** Whoever cannot read a trailer rebuilds the file: the identifiers are two short strings, document information is an object. */
async function isOfItsKindInTrailer(pdf: Pdf, key: string, value: PdfObject | undefined): Promise<boolean> {
  if (value === undefined) return true;
  if (key === 'Info') return value instanceof PdfRef;
  if (key !== 'ID') return true;
  const ids = await pdf.resolve(value);
  return Array.isArray(ids) && ids.length === 2 && ids.every((one) => one instanceof PdfString && one.bytes.length <= maxWord);
}

/** The trailer's root is the newest one, and was no object before. */
async function isNewNumber({ before, after }: Review, trailer: PdfDict): Promise<boolean> {
  const root = trailer.get('Root');
  const isNewest = root instanceof PdfRef && sameValue(root, after.trailer.get('Root'));
  return isNewest && (await before.object(root.num)) === null;
}

/** LibreOffice opens the stream named here instead of the pages; writers that renumber it by mistake name no stream. */
async function leadsNowhere(after: Pdf, value: PdfObject | undefined): Promise<boolean> {
  const numbers = new Set<number>();
  eachReference(value ?? null, (num) => numbers.add(num));
  for (const num of numbers) if ((await after.object(num)) instanceof PdfStream) return false;
  return true;
}

const quietCatalogKeys: Record<string, [Change['level'], Change['kind']] | null> = {
  AcroForm: null,
  DSS: ['archive', 'validation-data'],
  Extensions: ['archive', 'metadata'],
  Version: ['archive', 'metadata'],
  Metadata: ['archive', 'metadata'],
  StructTreeRoot: null,
  MarkInfo: null,
};

async function reviewCatalog(review: Review): Promise<void> {
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

/** The DSS (EN 319 142-1 §5.4.2): validation data prove themselves, so they may grow and change — if nothing else leads there. */
async function reviewSecurityStore(review: Review): Promise<void> {
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

/**
 * What is reached only through metadata, extensions or the logical structure (ISO 32000-2 §14.7) paints nothing, and may
 * change; of the rest, only what nobody refers to.
 */
async function reviewLeftover(review: Review, changed: ChangedObject): Promise<void> {
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
