import { PdfRef, PdfString, isDict, isName } from '../../pdf/objects.ts';
import type { PdfDict, PdfObject } from '../../pdf/objects.ts';
import type { Pdf } from '../../pdf/pdf.ts';
import { catalogOf } from '../../pdf/pages.ts';
import { isPlaceholder } from '../find-signatures.ts';
import { changedKeys, sameResolved } from './compare.ts';
import { isVisible, rectOf } from './form-model.ts';
import type { FieldNode, Rect } from './form-model.ts';
import type { Review } from './review.ts';

/** What may be written into a field at any time: nothing of it is painted. */
const quietKeys = new Set(['V', 'M', 'P', 'Type', 'F', 'Ff', 'NM', 'StructParent']);
/** What filling a field writes (ISO 32000-2 §12.7.5, §12.5.2), and what signing it does. */
const fillKeys = new Set([...quietKeys, 'AS', 'AP', 'RV', 'DA', 'DS', 'Q', 'I', 'TI']);
const signKeys = new Set([...fillKeys, 'DR', 'MK', 'BS', 'Border']);
/** Scripts and other actions, and what dresses a box without an appearance. */
const actionKeys = ['A', 'AA', 'PA'];
const dressKeys = ['AP', 'MK', 'BS'];
const readOnly = 1;
/** What decides how a widget is shown: Invisible, Hidden, NoZoom, NoRotate, NoView, ToggleNoView (§12.5.3). */
const showing = 1 | 2 | 8 | 16 | 32 | 256;
const printed = 4;

/** The form: fields may be filled and signed, signature fields added; nothing may vanish or change its nature. */
export async function reviewFields(review: Review): Promise<void> {
  await reviewForm(review);
  const { formBefore, formAfter } = review;
  if (formAfter.irregular && !formBefore.irregular) review.report('forbidden', 'field-altered');
  for (const node of formBefore.nodes.values()) {
    const now = formAfter.nodes.get(node.num);
    if (now === undefined) review.report('forbidden', 'field-removed', { field: node.name, num: node.num });
    else if (review.changedObject(node.num)) await reviewField(review, node, now);
  }
  for (const node of formAfter.nodes.values()) if (!formBefore.nodes.has(node.num)) await reviewNewField(review, node);
  for (const { num } of review.unclaimed) await reviewAppearance(review, num);
}

async function reviewForm(review: Review): Promise<void> {
  const [was, is] = [review.formBefore.form, review.formAfter.form];
  if (was === null) return;
  if (is === null) return review.report('forbidden', 'field-removed');
  for (const key of changedKeys(was.dict, is.dict)) {
    const value = is.dict.get(key);
    if (key === 'Fields' || key === 'SigFlags' || (key === 'DA' && !was.dict.has('DA'))) continue;
    if (key === 'NeedAppearances' && (await review.after.resolve(value)) !== true) continue;
    if (key === 'DR' && (await onlyGrows(review, was.dict.get(key), value, 0))) continue;
    review.report('forbidden', 'field-altered', { num: is.ref?.num ?? 0 });
  }
  if (was.ref !== null) review.claim(was.ref.num);
  claimIf(review, was.dict.get('Fields'), ({ key }) => key === 'Fields');
  await reviewResources(review, was.dict.get('DR'));
}

function claimIf(review: Review, value: PdfObject | undefined, as: Parameters<Review['isOnlyUsed']>[1]): void {
  if (value instanceof PdfRef && review.changedObject(value.num) && review.isOnlyUsed(value.num, as)) review.claim(value.num);
}

/** Default resources written over in place: still only more of them, and nobody else's (a page may wait for a name in them). */
async function reviewResources(review: Review, value: PdfObject | undefined): Promise<void> {
  const resources = await review.before.resolveDict(value);
  for (const one of [value, ...(resources?.values() ?? [])]) {
    const changed = one instanceof PdfRef ? review.changedObject(one.num) : undefined;
    if (changed === undefined || !(await onlyGrows(review, changed.before, changed.after, 0))) continue;
    const owners = new Set([await formNumber(review), value instanceof PdfRef ? value.num : 0]);
    if (review.isOnlyUsed(changed.num, ({ from }) => owners.has(from))) review.claim(changed.num);
  }
}

/** Where the form stands: its own object, or the catalog. */
async function formNumber({ formBefore, before }: Review): Promise<number> {
  return formBefore.form?.ref?.num ?? (await catalogOf(before)).ref.num;
}

async function onlyGrows(review: Review, a: PdfObject | undefined, b: PdfObject | undefined, depth: number): Promise<boolean> {
  if (a === undefined || (await sameResolved(review.before, a, review.after, b))) return true;
  const [was, is] = [await review.before.resolve(a), await review.after.resolve(b)];
  if (!isDict(was) || !isDict(is) || depth > 2) return false;
  for (const [key, value] of was) {
    // A default appearance string can name a font, never an XObject: some writers park their own there.
    if (depth === 0 && key === 'XObject') continue;
    if (!(await onlyGrows(review, value, is.get(key), depth + 1))) return false;
  }
  return true;
}

async function reviewField(review: Review, was: FieldNode, is: FieldNode): Promise<void> {
  const { num, name: field } = was;
  review.claim(num);
  const visible = is.isWidget && (await isVisible(review.after, is.dict));
  const forbid = (kind: 'field-altered' | 'appearance-replaced') => review.report('forbidden', kind, { field, visible, num });
  const keys = changedKeys(was.dict, is.dict);
  const isSignature = was.type === 'Sig';
  if (was.name !== is.name || was.type !== is.type) return forbid('field-altered');
  if (keys.some((key) => !(isSignature ? signKeys : fillKeys).has(key))) return forbid('field-altered');
  if (!(await flagsHold(review, was, is, isSignature))) return forbid('field-altered');
  const filled = await isFilledNow(review, was, is);
  if (filled === 'twice') return forbid('field-altered');
  if (filled === 'no') {
    if (keys.some((key) => !quietKeys.has(key))) forbid('appearance-replaced');
    return;
  }
  if (!isSignature) return review.report('fill', 'field-filled', { field, visible, num });
  if (visible && !(await isVisible(review.before, was.dict))) return reportNewBox(review, is);
  const isTimestamp = isName((await review.after.resolveDict(is.value))?.get('Type'), 'DocTimeStamp');
  review.report(isTimestamp && !visible ? 'archive' : 'fill', isTimestamp ? 'document-timestamp' : 'field-signed', { field, visible, num });
}

/** ReadOnly may be set, nothing else may change; what was shown stays shown and what was hidden stays hidden. */
async function flagsHold(review: Review, was: FieldNode, is: FieldNode, isSignature: boolean): Promise<boolean> {
  if ((was.flags | readOnly) !== (is.flags | readOnly) || (was.flags & readOnly) > (is.flags & readOnly)) return false;
  const shown = async (pdf: Pdf, dict: PdfDict) => {
    const flags = (await pdf.resolve(dict.get('F'))) ?? 0;
    return typeof flags === 'number' ? flags & (showing | printed) : Number.NaN;
  };
  const [before, now] = [await shown(review.before, was.dict), await shown(review.after, is.dict)];
  // What was not printed may be; a signature's placeholder may come out of hiding when it is signed.
  return (
    (before | printed) === now ||
    before === now ||
    (isSignature && (now | printed) === printed && !isDict(await review.before.resolve(was.value)))
  );
}

/**
 * 'twice': a signature's value, or what a read-only field says already, was replaced. A signature counts as filled when it
 * signs this very step; a hole for one does not, and dresses nothing.
 */
async function isFilledNow(review: Review, was: FieldNode, is: FieldNode): Promise<'no' | 'yes' | 'twice'> {
  if (await sameResolved(review.before, was.value, review.after, is.value)) return 'no';
  const before = await review.before.resolve(was.value);
  if (was.type === 'Sig') {
    if (before !== null) return 'twice';
    if (review.isSignedNow(is)) return 'yes';
    const value = await review.after.resolve(is.value);
    return isDict(value) && isPlaceholder(value) ? 'no' : 'twice';
  }
  const wasEmpty = before === null || (before instanceof PdfString && before.bytes.length === 0);
  return (was.flags & readOnly) !== 0 && !wasEmpty ? 'twice' : 'yes';
}

/** Only signature fields may be added, under a name of their own: signed in the same step, or empty and bare. */
async function reviewNewField(review: Review, node: FieldNode): Promise<void> {
  const { num, name: field } = node;
  const about = { field, num, visible: node.isWidget && (await isVisible(review.after, node.dict)) };
  const isTaken = review.once(namesBefore).has(field);
  if (node.type !== 'Sig' || isTaken) return review.report('forbidden', 'field-added', about);
  const isSigned = review.isSignedNow(node);
  const value = await review.after.resolve(node.value);
  const isTimestamp = isDict(value) && isName(value.get('Type'), 'DocTimeStamp');
  if (isTimestamp && isSigned && !about.visible) return review.report('archive', 'document-timestamp', about);
  const isHonest = isSigned || value === null || (isDict(value) && isPlaceholder(value));
  const sound = isHonest && (await isPlainBox(review, node, isSigned));
  review.report(sound ? 'fill' : 'forbidden', 'signature-field-added', about);
  if (sound && about.visible && (await coversFilledField(review, node))) review.report('fill', 'box-over-field', about);
}

/** A box of a field that was there comes into sight by being signed: as good as a new one, and no better. */
export async function reportNewBox(review: Review, node: FieldNode): Promise<void> {
  const sound = await isPlainBox(review, node, true);
  const level = sound && !(await coversFilledField(review, node)) ? 'fill' : 'forbidden';
  review.report(level, 'signature-field-added', { field: node.name, visible: true, num: node.num });
}

/** A widget that runs nothing and, while nobody has signed it, shows nothing: other annotations draw themselves. */
async function isPlainBox(review: Review, { isWidget, dict }: FieldNode, isSigned: boolean): Promise<boolean> {
  if (actionKeys.some((key) => dict.has(key))) return false;
  if (!isWidget) return true;
  if (!isName(await review.after.resolve(dict.get('Subtype')), 'Widget') || (await rectOf(review.after, dict)) === null) return false;
  return isSigned || !dressKeys.some((key) => dict.has(key)) || !(await isVisible(review.after, dict));
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

/** An appearance written over in place: the field must have been filled now, and the object be this appearance only. */
async function reviewAppearance(review: Review, num: number): Promise<void> {
  const { formBefore, formAfter } = review;
  const node = formBefore.appearances.get(num);
  const now = node && formAfter.nodes.get(node.num);
  if (node === undefined || now === undefined) return;
  const isOwn = review.isOnlyUsed(num, ({ from }) => from === node.num || formBefore.appearances.get(from) === node);
  if (!isOwn || (await isFilledNow(review, node, now)) !== 'yes') return;
  review.claim(num);
}
