import { PdfName, PdfRef, PdfString, isDict } from '../../pdf/objects.ts';
import type { PdfDict, PdfObject } from '../../pdf/objects.ts';
import type { Work } from '../../pdf/work.ts';
import type { ChangedObject } from './changed-objects.ts';
import { changedKeys, sameResolved, sameValue } from './compare.ts';
import { reportNewBox } from './box-rules.ts';
import { isVisible } from './form-model.ts';
import type { FieldNode } from './form-model.ts';
import type { Review } from './review.ts';
import { isAnnotationListOnly, isPage } from './roles.ts';

/** Pages and their annotations: widgets of new signature fields may join, other annotations are told apart. */
export async function reviewPages(review: Review): Promise<void> {
  for (const changed of review.unclaimed) {
    const { num, before, after } = changed;
    if (isPageDict(before) && isPageDict(after)) await reviewPage(review, num, before, after);
    else if (await isAnnotsArray(review, changed)) await reviewAnnotations(review, num, before, after);
    else if (isAnnotation(review, changed)) {
      review.claim(num);
      review.report('annotate', after === null ? 'annotation-removed' : 'annotation-changed', { num, visible: true });
    }
  }
}

function isPageDict(value: PdfObject): value is PdfDict {
  return isPage(value);
}

async function reviewPage(review: Review, num: number, before: PdfDict, after: PdfDict): Promise<void> {
  const keys = changedKeys(before, after);
  for (const key of keys) if (!(await isQuiet(review, key, before, after)) && !(await isCopy(review, key, before, after))) return;
  review.claim(num);
  if (!keys.includes('Annots')) return;
  const [was, is] = [await review.before.resolve(before.get('Annots')), await review.after.resolve(after.get('Annots'))];
  await reviewAnnotations(review, num, was ?? [], is ?? []);
}

/** Of its kind, so that it is nothing that somebody could paint who takes the page for something else. */
async function isQuiet({ after }: Review, key: string, before: PdfDict, now: PdfDict): Promise<boolean> {
  const value = await after.resolve(now.get(key));
  if (key === 'Annots') return Array.isArray(value) || value === null;
  if (key === 'Tabs') return value instanceof PdfName && !before.has(key);
  if (key === 'LastModified') return value instanceof PdfString;
  return key === 'StructParents' && Number.isInteger(value) && !before.has(key);
}

/** Some writers give a page's resources a new number and leave them as they were. */
async function isCopy(review: Review, key: string, before: PdfDict, after: PdfDict): Promise<boolean> {
  return key === 'Resources' && (await sameResolved(review.before, before.get(key), review.after, after.get(key)));
}

async function isAnnotsArray(review: Review, { num, before, after }: ChangedObject): Promise<boolean> {
  return Array.isArray(before) && Array.isArray(after) && (await isAnnotationListOnly(review, num));
}

async function reviewAnnotations(review: Review, num: number, before: PdfObject, after: PdfObject): Promise<void> {
  if (!Array.isArray(before) || !Array.isArray(after)) return;
  review.claim(num);
  const { formBefore, formAfter } = review;
  const { work } = review.after.reader;
  const [isAfter, isBefore] = [holderOf(after, work), holderOf(before, work)];
  for (const item of before) {
    if (isAfter(item)) continue;
    const isField = item instanceof PdfRef && formBefore.nodes.has(item.num);
    review.report(isField ? 'forbidden' : 'annotate', isField ? 'field-removed' : 'annotation-removed', { num, visible: true });
  }
  // What lies on what depends on the order, and on how often.
  if (!sameList(before.filter(isAfter), after.filter(isBefore)) || !isEachOnce(after.filter((item) => !isBefore(item)))) {
    review.report('forbidden', 'annotation-changed', { num, visible: true });
  }
  for (const item of after) {
    if (isBefore(item)) continue;
    const node = item instanceof PdfRef ? formAfter.nodes.get(item.num) : undefined;
    if (node !== undefined && (await mayAppear(review, node))) continue;
    if ((await review.after.resolve(item)) === null) continue;
    review.report('annotate', 'annotation-added', { num, visible: true });
  }
}

function sameList(a: readonly PdfObject[], b: readonly PdfObject[]): boolean {
  return a.length === b.length && a.every((item, index) => sameValue(item, b[index]));
}

function isEachOnce(list: readonly PdfObject[]): boolean {
  const refs = list.flatMap((item) => (item instanceof PdfRef ? [item.num] : []));
  return new Set(refs).size === refs.length;
}

/** Tells what a list holds. Annotations are references as a rule: a page may have tens of thousands. */
function holderOf(list: readonly PdfObject[], work: Work): (item: PdfObject) => boolean {
  const others = list.filter((one) => !(one instanceof PdfRef));
  const refs = new Set(list.map((one) => (one instanceof PdfRef ? `${one.num} ${one.gen}` : '')));
  return (item) => {
    if (item instanceof PdfRef) return refs.has(`${item.num} ${item.gen}`);
    work.spend(64 * others.length);
    return others.some((one) => sameValue(item, one));
  };
}

/** A field's widget comes to a page when the field is new, is signed now, or shows nothing: nothing prepared comes out of hiding. */
async function mayAppear(review: Review, node: FieldNode): Promise<boolean> {
  if (!review.formBefore.nodes.has(node.num) || !(await isVisible(review.after, node.dict))) return true;
  if (node.type !== 'Sig' || !(await review.isSignedNow(node))) return false;
  await reportNewBox(review, node);
  return true;
}

function isAnnotation(review: Review, { num, before, after }: ChangedObject): boolean {
  if (!isDict(before) || !(after === null || isDict(after)) || !before.has('Subtype') || review.formBefore.nodes.has(num)) return false;
  const usages = review.usages.to(num);
  return usages.length > 0 && usages.every(({ key }) => ['Annots', 'Popup', 'Parent', 'IRT', 'Obj'].includes(key));
}
