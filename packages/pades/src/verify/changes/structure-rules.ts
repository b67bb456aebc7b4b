import { PdfRef, isDict, isName } from '../../pdf/objects.ts';
import type { PdfDict, PdfObject } from '../../pdf/objects.ts';
import { catalogOf } from '../../pdf/pages.ts';
import type { ChangedObject } from './changed-objects.ts';
import { changedKeys, sameResolved, sameValue } from './compare.ts';
import type { Review } from './review.ts';

/**
 * The logical structure (ISO 32000-2 §14.7) is what a screen reader reads out and what is copied. It may grow by elements of
 * form fields that are new or signed now; what is said of the content, and in what order, stays.
 */

/** Keys of the root that list, and may list more; what kinds of elements mean stays. */
const rootLists = new Set(['IDTree', 'ParentTree', 'K', 'ParentTreeNextKey', 'Type']);
const elementKeys = new Set(['Type', 'S', 'P', 'K', 'Pg', 'ID', 'A', 'C', 'R', 'NS', 'Lang']);
const maxElements = 10_000;
const maxDepth = 32;

/** The structure tree of the catalog is another, or there is one now. */
export async function reviewStructureRoot(review: Review, was: PdfDict, is: PdfDict): Promise<void> {
  const [before, after] = [was.get('StructTreeRoot'), is.get('StructTreeRoot')];
  const [old, now] = [await review.before.resolve(before), await review.after.resolve(after)];
  const isSame = before instanceof PdfRef && after instanceof PdfRef && before.num === after.num;
  // A root without kids is none: what comes in its place is new.
  const isThere = isDict(old) && old.has('K');
  const holds = isDict(now) && (isThere ? isSame || (await rootHolds(review, old, now)) : await isForFields(review, now, 0));
  review.report(holds ? 'fill' : 'forbidden', 'structure-tree');
}

/** An object of the structure that is not what it was. */
export async function reviewStructureObject(review: Review, { num, before, after }: ChangedObject): Promise<void> {
  const root = (await catalogOf(review.before)).dict.get('StructTreeRoot');
  const isRoot = root instanceof PdfRef && root.num === num;
  const holds = isRoot
    ? isDict(before) && isDict(after) && (await rootHolds(review, before, after))
    : await objectHolds(review, before, after);
  review.report(holds ? 'fill' : 'forbidden', 'structure-tree', holds ? {} : { num });
}

async function rootHolds(review: Review, was: PdfDict, is: PdfDict): Promise<boolean> {
  for (const key of changedKeys(was, is)) {
    if (!rootLists.has(key)) return false;
    if (key !== 'ParentTreeNextKey' && !(await valueGrows(review, was.get(key), is.get(key), 0))) return false;
  }
  return true;
}

/** An element that gets kids, a list that gets longer, a node of a tree of numbers or names. */
async function objectHolds(review: Review, before: PdfObject, after: PdfObject): Promise<boolean> {
  if (Array.isArray(before) && Array.isArray(after)) return listGrows(review, before, after);
  if (!isDict(before) || !isDict(after)) return false;
  const keys = changedKeys(before, after);
  if (before.has('S')) return keys.every((key) => key === 'K') && (await valueGrows(review, before.get('K'), after.get('K'), 0));
  // Of a tree: what it lists stays where it is; Limits follow.
  for (const key of keys) {
    if (key === 'Limits') continue;
    if (!['Nums', 'Names', 'Kids'].includes(key) || !(await valueGrows(review, before.get(key), after.get(key), 0))) return false;
  }
  return true;
}

async function valueGrows(review: Review, a: PdfObject | undefined, b: PdfObject | undefined, depth: number): Promise<boolean> {
  if (await sameResolved(review.before, a, review.after, b)) return true;
  if (depth > 4) return false;
  const [was, is] = [await review.before.resolve(a), await review.after.resolve(b)];
  if (was === null) return isForFields(review, is, 0);
  // One kid becomes a list of them.
  if (Array.isArray(is)) return listGrows(review, Array.isArray(was) ? was : [a ?? null], is);
  if (!isDict(was) || !isDict(is)) return false;
  for (const key of changedKeys(was, is)) {
    if (was.has(key) && !(await valueGrows(review, was.get(key), is.get(key), depth + 1))) return false;
    if (!was.has(key) && !(await isForFields(review, is.get(key) ?? null, 0))) return false;
  }
  return true;
}

/** What was in the list is there, in its order; what came is of fields. */
async function listGrows(review: Review, was: readonly PdfObject[], is: readonly PdfObject[]): Promise<boolean> {
  review.after.reader.work.spend(16 * is.length);
  const known = pairsOf(was);
  const now = known === null ? null : pairsOf(is);
  if (known !== null && now !== null) return pairsGrow(review, known, now);
  let met = 0;
  for (const item of is) {
    if (met < was.length && sameValue(item, was[met])) met++;
    else if (!(await isForFields(review, item, 0))) return false;
  }
  return met === was.length;
}

/** Of a tree of numbers (§7.9.7): numbers and what they stand for, one after the other. */
function pairsOf(list: readonly PdfObject[]): ReadonlyMap<number, PdfObject> | null {
  const pairs = new Map<number, PdfObject>();
  for (let at = 0; at < list.length; at += 2) {
    const [num, value] = [list[at], list[at + 1]];
    if (typeof num !== 'number' || value === undefined || pairs.has(num)) return null;
    pairs.set(num, value);
  }
  return pairs;
}

async function pairsGrow(review: Review, was: ReadonlyMap<number, PdfObject>, is: ReadonlyMap<number, PdfObject>): Promise<boolean> {
  for (const [num, value] of was) {
    const now = is.get(num);
    if (now === undefined || !(await sameResolved(review.before, value, review.after, now))) return false;
  }
  return everyOf([...is], async ([num, value]) => was.has(num) || isForFields(review, value, 0));
}

/**
 * New structure that speaks of nothing but form fields which are new or signed now: no marked content of a page, no text of its
 * own.
 */
async function isForFields(review: Review, value: PdfObject, depth: number): Promise<boolean> {
  const seen = review.once(seenElements);
  if (depth > maxDepth || seen.size > maxElements) return false;
  if (value instanceof PdfRef) {
    if (seen.has(value.num)) return true;
    if (review.formAfter.nodes.has(value.num)) return isOwnField(review, value.num);
    // What was there before may be referred to, but no element comes in twice or somewhere else.
    const known = await review.before.object(value.num);
    if (known !== null) return !(isDict(known) && known.has('S'));
    seen.add(value.num);
    return isForFields(review, await review.after.object(value.num), depth + 1);
  }
  if (Array.isArray(value)) return everyOf(value, (item) => isForFields(review, item, depth + 1));
  if (!isDict(value)) return typeof value !== 'number' || depth > 1;
  if (isName(value.get('Type'), 'MCR') || value.has('MCID')) return false;
  if (isName(value.get('Type'), 'OBJR')) return isOwnField(review, numberIn(value.get('Obj')));
  if (value.has('S') && ![...value.keys()].every((key) => elementKeys.has(key))) return false;
  return everyOf([...value], async ([key, item]) => {
    if (key === 'P' || key === 'Pg' || key === 'ParentTreeNextKey' || key === 'Limits') return true;
    // An integer among the kids is marked content of the page.
    if (key === 'K' && hasNumber(item)) return false;
    return isForFields(review, item, depth + 2);
  });
}

function hasNumber(item: PdfObject): boolean {
  return typeof item === 'number' || (Array.isArray(item) && item.some(hasNumber));
}

function isOwnField({ formBefore, formAfter }: Review, num: number): boolean {
  return formAfter.nodes.has(num) && (!formBefore.nodes.has(num) || formAfter.nodes.get(num)?.type === 'Sig');
}

function seenElements(): Set<number> {
  return new Set();
}

async function everyOf<T>(items: readonly T[], holds: (item: T) => Promise<boolean>): Promise<boolean> {
  for (const item of items) if (!(await holds(item))) return false;
  return true;
}

function numberIn(value: PdfObject | undefined): number {
  return value instanceof PdfRef ? value.num : 0;
}
