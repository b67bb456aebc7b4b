import { PdfName, PdfRef, PdfStream, PdfString, isDict } from '../../pdf/objects.ts';
import type { PdfDict, PdfObject } from '../../pdf/objects.ts';
import type { Pdf } from '../../pdf/pdf.ts';
import { eachReference } from '../../pdf/references.ts';
import { changedKeys, sameResolved, sameValue } from './compare.ts';
import type { Review } from './review.ts';

/** No name or string that belongs into a trailer or a catalog is longer. */
export const maxWord = 127;

/** Of a section's own bookkeeping (ISO 32000-2 §7.5.5, §7.5.8.2). */
const bookkeeping = new Set(['Size', 'Prev', 'ID', 'Info', 'Type', 'W', 'Index', 'Length', 'Filter', 'DecodeParms', 'XRefStm']);

export async function reviewTrailer(review: Review): Promise<void> {
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

/** Whoever cannot read a trailer rebuilds the file: the root is an object as it is numbered, the identifiers are two short strings, document information is an object. */
async function isOfItsKindInTrailer(pdf: Pdf, key: string, value: PdfObject | undefined): Promise<boolean> {
  if (value === undefined) return true;
  if (key === 'Root') return value instanceof PdfRef && value.gen === (await pdf.refTo(value.num)).gen;
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
