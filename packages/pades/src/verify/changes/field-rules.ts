import { PdfRef, isDict, isName } from '../../pdf/objects.ts';
import type { PdfDict, PdfObject } from '../../pdf/objects.ts';
import type { Pdf } from '../../pdf/pdf.ts';
import { awaitsResources } from './awaited-fonts.ts';
import { changedKeys, sameResolved } from './compare.ts';
import { isTimestamp, reportNewBox, reviewNewField } from './box-rules.ts';
import { flagsHold, isFilledNow, isOfItsKind, natureHolds } from './fill-rules.ts';
import { isShownFully, isVisible } from './form-model.ts';
import type { FieldNode } from './form-model.ts';
import type { Review } from './review.ts';
import type { Usage } from './usages.ts';
import { staysInItsBox } from './own-look.ts';
import { isFieldListOnly, isFieldOnly, isFormNumber, isFormOnly, isLookOnly, numberOf } from './roles.ts';

/** What may be written into a field at any time: nothing of it is painted. */
const quietKeys = new Set(['V', 'M', 'P', 'Type', 'F', 'Ff', 'NM', 'StructParent']);
/** What filling a field writes (ISO 32000-2 §12.7.5, §12.5.2): of buttons, the state; what signing writes. */
const buttonKeys = new Set([...quietKeys, 'AS']);
// A text has no states: with one, readers do not agree on what they draw.
const fillKeys = new Set([...quietKeys, 'AP', 'RV', 'DA', 'DS', 'Q', 'I', 'TI']);
const signKeys = new Set([...fillKeys, 'AS', 'DR', 'MK', 'BS', 'Border']);

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
    if (key === 'Fields' || (key === 'DA' && !was.dict.has('DA'))) continue;
    if (key === 'SigFlags' && (await keepsFlags(review, was.dict.get(key), value))) continue;
    // Asked to draw the fields anew, readers show their values; asked no more, what was drawn of them once: either way something else is seen.
    if (key === 'NeedAppearances' && !(await asksForLooks(review.before, was.dict)) && !(await asksForLooks(review.after, is.dict)))
      continue;
    if (key === 'DR' && (await onlyGrows(review, was.dict.get(key), value, 0)) && !(await awaitsResources(review, value))) continue;
    review.report('forbidden', 'field-altered', { num: is.ref?.num ?? 0 });
  }
  const { ref } = was;
  if (ref !== null && (review.changedObject(ref.num) === undefined || (await isFormOnly(review, ref.num)))) review.claim(ref.num);
  const list = numberOf(was.dict.get('Fields'));
  if (review.changedObject(list) !== undefined && (await isFieldListOnly(review, list))) review.claim(list);
  await reviewResources(review, was.dict.get('DR'));
}

/** Whether readers are to draw the form's fields themselves (ISO 32000-2, table 224). */
async function asksForLooks(pdf: Pdf, form: PdfDict): Promise<boolean> {
  return (await pdf.resolve(form.get('NeedAppearances'))) === true;
}

/** That there are signatures, and that files are appended to, is not taken back. */
async function keepsFlags({ before, after }: Review, a: PdfObject | undefined, b: PdfObject | undefined): Promise<boolean> {
  const [was, is] = [(await before.resolve(a)) ?? 0, await after.resolve(b)];
  return typeof was === 'number' && typeof is === 'number' && (was & is) === was;
}

/** Default resources written over in place: still only more of them, and nobody else's (a page may wait for a name in them). */
async function reviewResources(review: Review, value: PdfObject | undefined): Promise<void> {
  const resources = await review.before.resolveDict(value);
  for (const one of [value, ...(resources?.values() ?? [])]) {
    const changed = one instanceof PdfRef ? review.changedObject(one.num) : undefined;
    if (changed === undefined || !(await onlyGrows(review, changed.before, changed.after, 0))) continue;
    const own = numberOf(value);
    const isOwn = ({ from, path }: Usage) =>
      (isFormNumber(review, from) && /(^|\/)DR(\/|$)/.test(path)) || (from === own && !path.includes('/'));
    if (review.isOnlyUsed(changed.num, isOwn)) review.claim(changed.num);
  }
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
  const filled = await isFilledNow(review, was, is);
  const isFilled = filled === 'yes';
  const allowed = isSignature ? signKeys : was.type === 'Btn' ? buttonKeys : fillKeys;
  if (was.name !== is.name || was.type !== is.type || filled === 'twice') return forbid('field-altered');
  if (keys.some((key) => !allowed.has(key))) return forbid('field-altered');
  if (!natureHolds(was, is) || !(await flagsHold(review, was, is, isFilled))) return forbid('field-altered');
  if (!(await entriesHold(review, keys, was.dict, is.dict)) || !(await isFieldOnly(review, num))) return forbid('field-altered');
  if (!isFilled) {
    if (keys.some((key) => !quietKeys.has(key))) forbid('appearance-replaced');
    return;
  }
  if (!isSignature) {
    if (was.type !== 'Btn' && !(await staysInItsBox(review, is))) return forbid('appearance-replaced');
    return review.report('fill', 'field-filled', { field, visible, num });
  }
  if (visible && !(await isShownFully(review.before, was.dict))) return reportNewBox(review, is);
  const isStamp = await isTimestamp(review, is);
  review.report(isStamp && !visible ? 'archive' : 'fill', isStamp ? 'document-timestamp' : 'field-signed', { field, visible, num });
}

/** What was written is of its kind; the page of a widget is named, not changed. */
async function entriesHold({ before, after }: Review, keys: readonly string[], was: PdfDict, is: PdfDict): Promise<boolean> {
  for (const key of keys) if (!(await isOfItsKind(after, key, is))) return false;
  // A widget that says so now; never that it is something else, or nothing: not every reader shows it then.
  if (keys.includes('Type') && (was.has('Type') || !isName(is.get('Type'), 'Annot'))) return false;
  return !keys.includes('P') || !was.has('P') || (await before.resolve(was.get('P'))) === null;
}

/** An appearance written over in place: the field must have been filled now, and the object be this appearance only. */
async function reviewAppearance(review: Review, num: number): Promise<void> {
  const { formBefore, formAfter } = review;
  const node = formBefore.appearances.get(num);
  const now = node && formAfter.nodes.get(node.num);
  if (node === undefined || now === undefined) return;
  if (node.type === 'Btn' || !(await isLookOnly(review, num, node)) || (await isFilledNow(review, node, now)) !== 'yes') return;
  review.claim(num);
}
