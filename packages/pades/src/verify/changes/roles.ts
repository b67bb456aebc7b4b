import { PdfRef, isDict, isName } from '../../pdf/objects.ts';
import type { PdfObject } from '../../pdf/objects.ts';
import type { FieldNode } from './form-model.ts';
import type { Review } from './review.ts';
import type { Usage } from './usages.ts';

/**
 * What an object is to those that refer to it. An object may be written over in place as what a rule takes it for, when it
 * is nothing else to anybody: a dictionary that is a field here is a page's resources there, and its new value is painted.
 */

export function isPage(value: PdfObject): boolean {
  return isDict(value) && isName(value.get('Type'), 'Page');
}

/** True when every shown use of the object is one of those; the logical structure may point at anything. */
async function isUsedAs(review: Review, num: number, as: (usage: Usage) => boolean | Promise<boolean>): Promise<boolean> {
  for (const usage of review.usages.to(num)) {
    if (usage.from !== 0 && !review.usages.isShown(usage.from)) continue;
    if (!(await as(usage))) return false;
  }
  return true;
}

/** The root of the document, and what a signature's reference speaks of (§12.8.1, Data). */
export function isCatalogOnly(review: Review, num: number): Promise<boolean> {
  return isUsedAs(review, num, async ({ from, path }) => {
    if (from === 0) return path === 'Root';
    const user = await review.before.object(from);
    if (!isDict(user)) return false;
    return (path === 'Data' && user.has('TransformMethod')) || (path === 'Reference/Data' && user.has('ByteRange'));
  });
}

/** Where the form stands: its own object, or the catalog, that may have had another number in an earlier state. */
export function isFormNumber({ formBefore, usages }: Review, num: number): boolean {
  const own = formBefore.form?.ref?.num;
  return own === undefined ? usages.isCatalog(num) : own === num;
}

/** The form of the catalog and nothing else. */
export function isFormOnly(review: Review, num: number): Promise<boolean> {
  return isUsedAs(review, num, ({ from, path }) => review.usages.isCatalog(from) && path === 'AcroForm');
}

/** The list of the form's fields and nothing else. */
export function isFieldListOnly(review: Review, num: number): Promise<boolean> {
  return isUsedAs(review, num, ({ from, path }) => isFormNumber(review, from) && (path === 'Fields' || path === 'AcroForm/Fields'));
}

/** A list of annotations of pages and nothing else. */
export function isAnnotationListOnly(review: Review, num: number): Promise<boolean> {
  return isUsedAs(review, num, async ({ from, path }) => path === 'Annots' && isPage(await review.before.object(from)));
}

const actions = new Set(['A', 'AA', 'PA']);

/** A field or its widget: listed by the form, its family, a page, or an action that speaks of fields. */
export function isFieldOnly(review: Review, num: number): Promise<boolean> {
  const { formBefore, before } = review;
  return isUsedAs(review, num, async ({ from, key, path }) => {
    if (isFormNumber(review, from) && ['Fields', 'CO', 'AcroForm/Fields', 'AcroForm/CO'].includes(path)) return true;
    if (formBefore.nodes.has(from) && (path === 'Kids' || path === 'Parent')) return true;
    const user = await before.object(from);
    if (Array.isArray(user)) return true;
    if (isPage(user)) return path === 'Annots';
    if (key !== 'Fields' && key !== 'T') return false;
    return actions.has(path.split('/')[0] ?? '') || (isDict(user) && user.has('S'));
  });
}

/** An appearance of that widget and of nothing else, with everything on the way to it. */
export async function isLookOnly(review: Review, num: number, node: FieldNode, seen = new Set<number>()): Promise<boolean> {
  if (seen.has(num)) return true;
  seen.add(num);
  const { appearances } = review.formBefore;
  if (appearances.get(num)?.num !== node.num || review.usages.to(num).length === 0) return false;
  return isUsedAs(review, num, ({ from, path }) => {
    if (from === node.num) return path === 'AP' || path.startsWith('AP/');
    return appearances.get(from)?.num === node.num && isPlainStep(path) && isLookOnly(review, from, node, seen);
  });
}

/** From an appearance dictionary to its entries, or from those to states: never through a stream's own resources. */
function isPlainStep(path: string): boolean {
  return !path.includes('Resources') && path.split('/').length <= 2;
}

/** The reference's number, or 0. */
export function numberOf(value: PdfObject | undefined): number {
  return value instanceof PdfRef ? value.num : 0;
}
