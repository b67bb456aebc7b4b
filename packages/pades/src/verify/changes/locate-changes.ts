import { PadesError } from '../../errors.ts';
import { PdfRef, isDict, isName } from '../../pdf/objects.ts';
import type { PdfObject } from '../../pdf/objects.ts';
import { eachPage, pageNumberOf } from '../../pdf/pages.ts';
import type { NumberedPage } from '../../pdf/pages.ts';
import type { Pdf } from '../../pdf/pdf.ts';
import type { Change } from '../report.ts';
import { eachReference } from '../../pdf/references.ts';
import type { FoundChange } from './review.ts';
import { isPage } from './roles.ts';

/** So much is looked through at most: where a change is seen is told for people, and decides nothing. */
const maxSteps = 5_000_000;
/** More than these are looked for in one walk through all pages. */
const fewObjects = 32;
/** Entries that lead from a page to others. */
const elsewhere = new Set(['Parent', 'P', 'Dest', 'D', 'A', 'AA', 'B', 'Popup', 'IRT']);

type Pages = Map<number, Set<number>>;

/** Tells of each change on which pages of the newest state its objects stand. */
export async function locateChanges(pdf: Pdf, steps: readonly (readonly FoundChange[])[]): Promise<Change[][]> {
  const pages: Pages = new Map();
  const wanted = new Set(steps.flatMap((step) => step.flatMap(({ objects }) => objects)));
  await locate(pdf, wanted, steps.flat(), pages).catch((error: unknown) => {
    if (!(error instanceof PadesError)) throw error;
  });
  return steps.map((step) =>
    step.map(({ objects, ...change }) => {
      const found = new Set(objects.flatMap((num) => [...(pages.get(num) ?? [])]));
      return { ...change, pages: [...found].toSorted((a, b) => a - b) };
    }),
  );
}

async function locate(pdf: Pdf, wanted: ReadonlySet<number>, changes: readonly FoundChange[], pages: Pages): Promise<void> {
  const patience = { left: maxSteps };
  const numbers = new Map<number, number | null>();
  for (const num of wanted.size > fewObjects ? [] : wanted) {
    const page = await ownPageOf(pdf, num);
    if (page === null) continue;
    const number = numbers.has(page) ? numbers.get(page) : await pageNumberOf(pdf, page);
    numbers.set(page, number ?? null);
    if (number != null) note(pages, num, number);
  }
  const open = new Set([...wanted].filter((num) => !pages.has(num)));
  if (open.size > 0) await locateAnnotations(pdf, open, pages, patience);
  const forbidden = changes.filter(({ level }) => level === 'forbidden').flatMap(({ objects }) => objects);
  const content = new Set(forbidden.filter((num) => !pages.has(num)));
  if (content.size > 0) await locateContent(pdf, content, pages, patience);
}

interface Patience {
  left: number;
}

function spend(patience: Patience, steps: number): void {
  patience.left -= steps;
  if (patience.left < 0) throw new PadesError('TOO_COMPLEX', 'nobody waits for where it is');
}

function note(pages: Pages, num: number, page: number): void {
  pages.set(num, (pages.get(num) ?? new Set()).add(page));
}

/** The page's object: it is one itself, or a widget that names its page and is named by it. No walk through all of them. */
async function ownPageOf(pdf: Pdf, num: number): Promise<number | null> {
  const dict = await pdf.object(num);
  if (!isDict(dict)) return null;
  if (isPage(dict)) return num;
  const stated = dict.get('P');
  const page = await pdf.resolve(stated);
  if (!(stated instanceof PdfRef) || !isPage(page) || !isDict(page)) return null;
  return isNamed(await pdf.resolve(page.get('Annots')), num) ? stated.num : null;
}

function isNamed(list: PdfObject, num: number): boolean {
  return Array.isArray(list) && list.some((item) => item instanceof PdfRef && item.num === num);
}

/** Pages, annotations and lists of them. */
async function locateAnnotations(pdf: Pdf, open: ReadonlySet<number>, pages: Pages, patience: Patience): Promise<void> {
  await eachPage(pdf, async ({ number, ref, dict }) => {
    if (ref !== null && open.has(ref.num)) note(pages, ref.num, number);
    const list = dict.get('Annots');
    if (list instanceof PdfRef && open.has(list.num)) note(pages, list.num, number);
    const found = await pdf.resolve(list);
    const items = Array.isArray(found) ? found : [];
    spend(patience, items.length);
    for (const item of items) if (item instanceof PdfRef && open.has(item.num)) note(pages, item.num, number);
    return true;
  });
}

/** What pages are painted with, however deep. */
async function locateContent(pdf: Pdf, content: ReadonlySet<number>, pages: Pages, patience: Patience): Promise<void> {
  await eachPage(pdf, async (page) => {
    for (const num of await reachedFrom(pdf, page, patience)) if (content.has(num)) note(pages, num, page.number);
    return true;
  });
}

async function reachedFrom(pdf: Pdf, { dict, inherited }: NumberedPage, patience: Patience): Promise<ReadonlySet<number>> {
  const reached = new Set<number>();
  const queue: number[] = [];
  const meet = (num: number, _key: string, path: string): void => {
    spend(patience, 1);
    if (reached.has(num) || path.split('/').some((key) => elsewhere.has(key))) return;
    reached.add(num);
    queue.push(num);
  };
  eachReference(dict, meet);
  eachReference(inherited.get('Resources') ?? null, meet);
  for (let num = queue.pop(); num !== undefined; num = queue.pop()) {
    const value = await pdf.object(num);
    if (isDict(value) && (isPage(value) || isName(value.get('Type'), 'Pages'))) continue;
    eachReference(value, meet);
  }
  return reached;
}
