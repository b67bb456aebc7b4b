import { PdfRef, PdfStream, PdfString, decodeText, isDict, isName } from '../../pdf/objects.ts';
import type { PdfDict } from '../../pdf/objects.ts';
import { isPlaceholder } from '../find-signatures.ts';
import { sameValue } from './compare.ts';
import { flagsOf, isShownFully, isVisible, paints, rectOf } from './form-model.ts';
import type { FieldNode, Rect } from './form-model.ts';
import type { Review } from './review.ts';

/** Scripts and other actions, and what dresses a box beside its appearance. */
const actionKeys = ['A', 'AA', 'PA'];
const dressKeys = ['MK', 'BS'];
/** What a look that shows nothing is made of. */
const emptyLookKeys = new Set(['Type', 'Subtype', 'BBox', 'Resources', 'Length']);
/** What a signature field and its widget are made of (ISO 32000-2 §12.5.2, §12.5.6.19, §12.7.4, §12.7.5.5). */
const fieldKeys = new Set(
  'Type Subtype FT T TU TM F Ff Rect P V Parent Kids Lock SV AP AS MK BS Border C H DA DR Q M NM Contents StructParent'.split(' '),
);

/** By what it says of itself, in either way: those who show it go by one or the other. */
export async function isTimestamp({ after }: Review, { value }: FieldNode): Promise<boolean> {
  const dict = await after.resolveDict(value);
  if (dict === null) return false;
  const [type, filter] = [await after.resolve(dict.get('Type')), await after.resolve(dict.get('SubFilter'))];
  return isName(type, 'DocTimeStamp') || isName(filter, 'ETSI.RFC3161');
}

/** Only signature fields may be added, under a name of their own: signed in the same step, or empty and bare. */
export async function reviewNewField(review: Review, node: FieldNode): Promise<void> {
  const { num, name: field } = node;
  const about = { field, num, visible: node.isWidget && (await isVisible(review.after, node.dict)) };
  const isTaken = review.once(namesBefore).has(field) || !(await hasOwnName(review, node));
  if (node.type !== 'Sig' || isTaken) return review.report('forbidden', 'field-added', about);
  const isSigned = await review.isSignedNow(node);
  const value = await review.after.resolve(node.value);
  const isStamp = await isTimestamp(review, node);
  const isStampOnly = isSigned || ((await bringsItsValue(review, node)) && (await isPlainBox(review, node, false)));
  if (isStamp && isStampOnly && !about.visible) return review.report('archive', 'document-timestamp', about);
  const isHonest = isSigned || value === null || (isDict(value) && isPlaceholder(value));
  // A timestamp is nobody's hand: a box of its own shows nothing but what somebody wants to show.
  const sound = isHonest && !(isStamp && about.visible) && (await isPlainBox(review, node, isSigned));
  review.report(sound ? 'fill' : 'forbidden', 'signature-field-added', about);
  if (sound && about.visible && (await coversFilledField(review, node))) review.report('fill', 'box-over-field', about);
}

/** A timestamp that does not hold is told by its own verdict, and takes nothing from what was signed before: if it came just now. */
async function bringsItsValue({ before }: Review, { value }: FieldNode): Promise<boolean> {
  return !(value instanceof PdfRef) || (await before.object(value.num)) === null;
}

/** A name with a point in it passes for a field of another one's, and one without a name for anybody's. */
async function hasOwnName({ after }: Review, { dict, name }: FieldNode): Promise<boolean> {
  const own = await after.resolve(dict.get('T'));
  return name !== '' && (!(own instanceof PdfString) || !decodeText(own).includes('.'));
}

/** A box of a field that was there comes into sight by being signed: as good as a new one, and no better. */
export async function reportNewBox(review: Review, node: FieldNode): Promise<void> {
  const sound = await isPlainBox(review, node, true);
  const level = sound && !(await coversFilledField(review, node)) ? 'fill' : 'forbidden';
  review.report(level, 'signature-field-added', { field: node.name, visible: true, num: node.num });
}

/** A widget that runs nothing and, while nobody has signed it, shows nothing: other annotations draw themselves. */
async function isPlainBox(review: Review, { isWidget, dict }: FieldNode, isSigned: boolean): Promise<boolean> {
  if (actionKeys.some((key) => dict.has(key)) || ![...dict.keys()].every((key) => fieldKeys.has(key))) return false;
  // PDF/UA-2 has the words of a field said of its box too; others than the field's own are somebody's words.
  if (dict.has('Contents') && !sameValue(dict.get('Contents'), dict.get('TU'))) return false;
  if (!isWidget) return true;
  if (!isName(await review.after.resolve(dict.get('Subtype')), 'Widget') || (await rectOf(review.after, dict)) === null) return false;
  if ((await flagsOf(review.after, dict)) === null) return false;
  // Signed or not, it is shown on the screen and on paper alike, or nowhere.
  if ((await isVisible(review.after, dict)) && !(await isShownFully(review.after, dict))) return false;
  if (dict.has('Parent') && !(await isKidOfNew(review, dict))) return false;
  if (await isWithoutArea(review, dict)) return !(await paints(review.after, dict));
  if (isSigned) return true;
  return !dressKeys.some((key) => dict.has(key)) && (await isWithoutBorder(review, dict)) && (await hasNoLook(review, dict));
}

/** None, or, as PDF/A wants one of every box, a stream without a byte that came along and that nobody else was waiting for. */
async function hasNoLook({ before, after, usages }: Review, dict: PdfDict): Promise<boolean> {
  if (!dict.has('AP')) return true;
  const looks = dict.get('AP');
  const normal = isDict(looks) && looks.size === 1 ? looks.get('N') : undefined;
  if (!(normal instanceof PdfRef) || (await before.object(normal.num)) !== null || usages.to(normal.num).length > 0) return false;
  const look = await after.object(normal.num);
  if (!(look instanceof PdfStream) || ![...look.dict.keys()].every((key) => emptyLookKeys.has(key))) return false;
  const resources = look.dict.get('Resources');
  return (resources === undefined || (isDict(resources) && resources.size === 0)) && (await after.rawStreamData(look)).length === 0;
}

/** A widget of a field that came along too: what it inherits is nobody else's. */
async function isKidOfNew({ formBefore, formAfter, after }: Review, dict: PdfDict): Promise<boolean> {
  const parent = dict.get('Parent');
  if (!(parent instanceof PdfRef) || formBefore.nodes.has(parent.num)) return false;
  return formAfter.nodes.has(parent.num) && isDict(await after.object(parent.num));
}

/** Readers that draw a field themselves draw its border (ISO 32000-2 §12.5.4): no width, no colour. */
async function isWithoutBorder({ after }: Review, dict: PdfDict): Promise<boolean> {
  const border = await after.resolveArray(dict.get('Border'));
  return !dict.has('C') && (border === null || border.every((item) => item === 0));
}

async function isWithoutArea(review: Review, dict: PdfDict): Promise<boolean> {
  const rect = await rectOf(review.after, dict);
  return rect !== null && (rect[2] === rect[0] || rect[3] === rect[1]);
}

function namesBefore({ formBefore }: Review): ReadonlySet<string> {
  return new Set([...formBefore.nodes.values()].map(({ name }) => name));
}

/** A new box over what a form field says already. On which page it stands, the page says, not the box. */
async function coversFilledField(review: Review, node: FieldNode): Promise<boolean> {
  const pages = (await review.once(pagesByWidget)).get(node.num) ?? new Set();
  const box = await rectOf(review.after, node.dict);
  if (box === null) return true;
  const filled = await review.once(filledFields);
  review.after.reader.work.spend(filled.length);
  return filled.some(({ rect, page }) => {
    if (page !== null && pages.size > 0 && !pages.has(page)) return false;
    const width = Math.min(box[2], rect[2]) - Math.max(box[0], rect[0]);
    const height = Math.min(box[3], rect[3]) - Math.max(box[1], rect[1]);
    return width > 1 && height > 1;
  });
}

/** Where the fields stand that show something before this step, and on which page as they themselves say. */
async function filledFields({ before, formBefore }: Review): Promise<{ rect: Rect; page: number | null }[]> {
  const filled: { rect: Rect; page: number | null }[] = [];
  for (const { dict, value } of formBefore.nodes.values()) {
    const rect = await rectOf(before, dict);
    if (rect === null || (await before.resolve(value)) === null || !(await isVisible(before, dict))) continue;
    const page = dict.get('P');
    filled.push({ rect, page: page instanceof PdfRef ? page.num : null });
  }
  return filled;
}

/** Pages of this step whose annotations name a widget, by widget. */
async function pagesByWidget(review: Review): Promise<ReadonlyMap<number, ReadonlySet<number>>> {
  const pages = new Map<number, Set<number>>();
  for (const { num, after } of review.changed) {
    const list = Array.isArray(after) ? after : isDict(after) ? await review.after.resolve(after.get('Annots')) : null;
    if (!Array.isArray(list)) continue;
    const naming = isDict(after) ? [num] : review.usages.to(num).flatMap(({ from, key }) => (key === 'Annots' ? [from] : []));
    review.after.reader.work.spend(64 * list.length * naming.length);
    for (const one of list) {
      if (!(one instanceof PdfRef)) continue;
      const known = pages.get(one.num) ?? new Set<number>();
      for (const page of naming) known.add(page);
      pages.set(one.num, known);
    }
  }
  return pages;
}
