import { PdfName, PdfStream, PdfString, dictOf, isDict, latin1Text } from '../../pdf/objects.ts';
import type { PdfDict, PdfObject } from '../../pdf/objects.ts';
import type { Pdf } from '../../pdf/pdf.ts';
import { lockOf } from '../../pdf/permissions.ts';
import type { FieldLock } from '../../pdf/permissions.ts';
import { isPlaceholder } from '../find-signatures.ts';
import { sameResolved } from './compare.ts';
import { annotationFlags, flagsOf } from './form-model.ts';
import type { FieldNode } from './form-model.ts';
import type { Review } from './review.ts';

const readOnly = 1;
const pushButton = 1 << 16;

/** 'twice': a value was written that may not be, or that is not what the field shows. */
export type Filled = 'no' | 'yes' | 'twice';

/** Whether the field says something else now than before this step, and may. */
export async function isFilledNow(review: Review, was: FieldNode, is: FieldNode): Promise<Filled> {
  if (await sameResolved(review.before, was.value, review.after, is.value)) return 'no';
  const before = await review.before.resolve(was.value);
  const value = await review.after.resolve(is.value);
  if (was.type === 'Sig') {
    if (before !== null) return 'twice';
    if (await review.isSignedNow(is)) return 'yes';
    return isDict(value) && isPlaceholder(value) ? 'no' : 'twice';
  }
  if ((was.flags & readOnly) !== 0) return isEmpty(before) && (await isOwnerSigning(review, was)) ? 'yes' : 'twice';
  if (was.type === 'Btn')
    return (was.flags & pushButton) === 0 && value instanceof PdfName && (await isShown(review, was, is)) ? 'yes' : 'twice';
  const isText = value === null || value instanceof PdfString || Array.isArray(value);
  if ((was.type !== 'Tx' && was.type !== 'Ch') || !isText) return 'twice';
  // What the field shows without a value is no value that somebody may replace.
  return isEmpty(before) && (await showsText(review.before, was)) ? 'twice' : 'yes';
}

function isEmpty(value: PdfObject): boolean {
  return value === null || (value instanceof PdfString && value.bytes.length === 0);
}

/** A box is on or off: in the state of its value or in none, and its looks are those that were signed. */
async function isShown({ before, after }: Review, was: FieldNode, is: FieldNode): Promise<boolean> {
  const state = await after.resolve(is.dict.get('AS'));
  if (!(await sameResolved(before, was.dict.get('AS'), after, is.dict.get('AS')))) {
    if (!(state instanceof PdfName)) return false;
    const value = await after.resolve(is.value);
    if (state.value !== 'Off' && !(value instanceof PdfName && value.value === state.value)) return false;
  }
  return sameResolved(before, was.dict.get('AP'), after, is.dict.get('AP'));
}

/**
 * The signatures that a read-only field waits for: the fields whose Lock names it. Where no Lock gives boxes to signers, any field
 * that was there to be signed.
 */
async function isOwnerSigning(review: Review, field: FieldNode): Promise<boolean> {
  const owners: FieldNode[] = [];
  let isGiven = false;
  const reserved = [...review.formBefore.nodes.values()].filter(({ type }) => type === 'Sig');
  review.after.reader.work.spend(64 * reserved.length);
  for (const node of reserved) {
    const lock = await lockIn(review.before, node);
    isGiven ||= lock !== null;
    if (lock?.fields.includes(field.name) === true) owners.push(node);
  }
  for (const { num } of isGiven ? owners : reserved) {
    const now = review.formAfter.nodes.get(num);
    const wasEmpty = (await review.before.resolve(review.formBefore.nodes.get(num)?.value)) === null;
    if (now !== undefined && wasEmpty && (await review.isSignedNow(now))) return true;
  }
  return false;
}

const locks = new WeakMap<FieldNode, FieldLock | null>();

/** The field's own Lock, when it names fields. */
async function lockIn(pdf: Pdf, node: FieldNode): Promise<FieldLock | null> {
  const known = locks.get(node);
  if (known !== undefined) return known;
  const lock = await lockOf(pdf, await pdf.resolveDict(node.dict.get('Lock')));
  const own = lock?.action === 'Include' ? lock : null;
  locks.set(node, own);
  return own;
}

/** The normal appearance draws text, an image or another form. */
async function showsText(pdf: Pdf, node: FieldNode): Promise<boolean> {
  const looks = dictOf(await pdf.resolve(node.dict.get('AP')));
  const normal = await pdf.resolve(looks?.get('N'));
  if (!(normal instanceof PdfStream)) return false;
  const content = await pdf.streamData(normal);
  if (content === null) return true;
  const text = latin1Text(content);
  // An empty string may be shown: that is what writers put into an empty field.
  return /(^|[\s\]>)])(Do|BI|sh)(\s|$)/.test(text) || /(\((?!\s*\))|<\s*[0-9A-Fa-f])[^]*?(Tj|TJ|'|")/.test(text);
}

/** ReadOnly may be set, nothing else. */
export function natureHolds(was: FieldNode, is: FieldNode): boolean {
  return (was.flags | readOnly) === (is.flags | readOnly) && (was.flags & readOnly) <= (is.flags & readOnly);
}

const { hidden, print, locked, lockedContents } = annotationFlags;

/**
 * What was shown stays shown, on the screen and on paper, and what was hidden stays hidden. A field that is filled now may be
 * printed; a signature field comes out of hiding by its own signature.
 */
export async function flagsHold(review: Review, was: FieldNode, is: FieldNode, isFilled: boolean): Promise<boolean> {
  const [before, now] = [await flagsOf(review.before, was.dict), await flagsOf(review.after, is.dict)];
  if (before === null || now === null) return before === now;
  // Ghostscript hides on the screen what is locked: nobody locks what is shown without filling it.
  const mayLock = isFilled || (await showsNothing(review, was));
  const added = now & ~before & ~(mayLock ? locked | lockedContents : lockedContents);
  const removed = before & ~now;
  if (added === 0 && removed === 0) return true;
  if (removed === 0 && added === print) return isFilled || (before & hidden) !== 0;
  return isFilled && was.type === 'Sig' && (added & ~print) === 0 && isPlainlyShown(now);
}

/** No look, no value, nothing that readers draw themselves. */
async function showsNothing({ before }: Review, { dict, value }: FieldNode): Promise<boolean> {
  return !dict.has('AP') && !dict.has('MK') && isEmpty(await before.resolve(value));
}

/** On the screen and on paper, nothing switched. */
function isPlainlyShown(flags: number): boolean {
  const { invisible, noZoom, noRotate, noView, toggleNoView } = annotationFlags;
  return (flags & (invisible | hidden | noZoom | noRotate | noView | toggleNoView)) === 0;
}

const kinds: Readonly<Record<string, (value: PdfObject) => boolean>> = {
  M: isString,
  NM: isString,
  DA: isString,
  DS: isString,
  RV: isString,
  Type: isNameValue,
  AS: isNameValue,
  F: Number.isInteger,
  Ff: Number.isInteger,
  Q: Number.isInteger,
  TI: Number.isInteger,
  StructParent: Number.isInteger,
  AP: isDict,
  MK: isDict,
  BS: isDict,
  DR: isDict,
  I: Array.isArray,
  Border: Array.isArray,
};

function isString(value: PdfObject): boolean {
  return value instanceof PdfString;
}

function isNameValue(value: PdfObject): boolean {
  return value instanceof PdfName;
}

/** Each entry is of the kind that the book gives it. */
export async function isOfItsKind(pdf: Pdf, key: string, dict: PdfDict): Promise<boolean> {
  const value = await pdf.resolve(dict.get(key));
  return value === null || (kinds[key]?.(value) ?? true);
}
