import { PadesError } from '../errors.ts';
import { intersectBox, normalizedBox, normalizedRotation } from './geometry.ts';
import type { Box, Rotation } from './geometry.ts';
import { keptReading } from './kept-reading.ts';
import { PdfRef, isDict, isName } from './objects.ts';
import type { PdfDict, PdfObject } from './objects.ts';
import type { Pdf } from './pdf.ts';

/** A page's geometry in points of its own user space (UserUnit not applied). */
export interface PageInfo {
  readonly mediaBox: Box;
  readonly cropBox: Box;
  /** CropBox ∩ MediaBox: what is shown. */
  readonly visibleBox: Box;
  readonly rotate: Rotation;
  readonly userUnit: number;
}

export interface FoundPage {
  readonly ref: PdfRef;
  readonly dict: PdfDict;
  /** Resources, MediaBox, CropBox, Rotate with what the page inherits. */
  readonly inherited: PdfDict;
  readonly info: PageInfo;
}

const inheritable = ['Resources', 'MediaBox', 'CropBox', 'Rotate'];
const maxDepth = 64;
const kidCost = 16;

interface Node {
  ref: PdfRef | null;
  dict: PdfDict;
  inherited: PdfDict;
}

interface Catalog {
  readonly ref: PdfRef;
  readonly dict: PdfDict;
}

/** Where everything begins; read once. Throws DAMAGED. */
export const catalogOf: (pdf: Pdf) => Promise<Catalog> = keptReading(readCatalog);

async function readCatalog(pdf: Pdf): Promise<Catalog> {
  const root = pdf.trailer.get('Root');
  const dict = await pdf.resolve(root);
  if (!(root instanceof PdfRef) || !isDict(dict)) throw new PadesError('DAMAGED', 'no catalog');
  return { ref: await pdf.refTo(root.num), dict };
}

async function rootNode(pdf: Pdf): Promise<Node> {
  const catalog = await catalogOf(pdf);
  const pages = catalog.dict.get('Pages');
  const dict = await pdf.resolveDict(pages);
  if (dict === null) throw new PadesError('NO_PAGES', 'no page tree');
  return node(pages, dict, new Map());
}

function node(value: PdfObject | undefined, dict: PdfDict, from: PdfDict): Node {
  const inherited: PdfDict = new Map(from);
  for (const key of inheritable) {
    const own = dict.get(key);
    if (own !== undefined) inherited.set(key, own);
  }
  return { ref: value instanceof PdfRef ? value : null, dict, inherited };
}

/** A node with kids; Type is often wrong in the wild, Kids is not. */
function isBranch(dict: PdfDict): boolean {
  return dict.has('Kids') && !isName(dict.get('Type'), 'Page');
}

/** Visits leaves in order until `visit` returns false. Loops and absurd depth end the walk, they do not hang it. */
async function walk(
  pdf: Pdf,
  current: Node,
  visit: (page: Node) => boolean | Promise<boolean>,
  seen: Set<number>,
  depth: number,
): Promise<boolean> {
  if (depth > maxDepth) return true;
  if (current.ref !== null) {
    if (seen.has(current.ref.num)) return true;
    seen.add(current.ref.num);
  }
  if (!isBranch(current.dict)) return visit(current);
  for (const kid of (await pdf.resolveArray(current.dict.get('Kids'))) ?? []) {
    pdf.reader.work.spend(kidCost);
    // Branches may share a list of kids: met again, they are not even looked at.
    if (kid instanceof PdfRef && seen.has(kid.num)) continue;
    const dict = await pdf.resolve(kid);
    if (!isDict(dict)) continue;
    if (!(await walk(pdf, node(kid, dict, current.inherited), visit, seen, depth + 1))) return false;
  }
  return true;
}

/** Number of pages: counted when there are at most `bound` of them, else as the tree states. */
export async function countPages(pdf: Pdf, bound: number): Promise<number> {
  const root = await rootNode(pdf);
  const stated = await pdf.resolve(root.dict.get('Count'));
  if (typeof stated === 'number' && stated > bound) return Math.floor(stated);
  let count = 0;
  await walk(pdf, root, () => ++count <= 1_000_000, new Set(), 0);
  return count;
}

/** The first `bound` pages. */
export async function listPages(pdf: Pdf, bound: number): Promise<PageInfo[]> {
  const pages: PageInfo[] = [];
  if (bound <= 0) return pages;
  const visit = async (page: Node): Promise<boolean> => {
    pages.push(await pageGeometry(pdf, page));
    return pages.length < bound;
  };
  await walk(pdf, await rootNode(pdf), visit, new Set(), 0);
  return pages;
}

/** A page by its number, with what it inherits. */
export interface NumberedPage {
  /** One-based. */
  readonly number: number;
  readonly ref: PdfRef | null;
  readonly dict: PdfDict;
  readonly inherited: PdfDict;
}

/** Visits the pages in order until `visit` returns false. */
export async function eachPage(pdf: Pdf, visit: (page: NumberedPage) => boolean | Promise<boolean>): Promise<void> {
  let number = 0;
  await walk(pdf, await rootNode(pdf), (page) => visit({ ...page, number: ++number }), new Set(), 0);
}

/** The one-based number of the page that the object is; null when the tree does not lead there, as the page says it does. */
export async function pageNumberOf(pdf: Pdf, num: number): Promise<number | null> {
  let [at, index] = [num, 0];
  for (let depth = 0; depth <= maxDepth; depth++) {
    const parent = (await pdf.resolveDict(new PdfRef(at, 0)))?.get('Parent');
    const dict = await pdf.resolveDict(parent);
    if (!(parent instanceof PdfRef) || dict === null) break;
    const kids = (await pdf.resolveArray(dict.get('Kids'))) ?? [];
    const place = kids.findIndex((kid) => kid instanceof PdfRef && kid.num === at);
    const before = place < 0 ? null : await countBefore(pdf, dict, kids, place);
    if (before === null) return null;
    index += before;
    at = parent.num;
  }
  const found = await findPage(pdf, index + 1).catch(() => null);
  return found?.ref.num === num ? index + 1 : null;
}

/** How many pages the kids before one have. */
async function countBefore(pdf: Pdf, parent: PdfDict, kids: readonly PdfObject[], place: number): Promise<number | null> {
  // A flat branch has as many kids as pages.
  if ((await pdf.resolve(parent.get('Count'))) === kids.length) return place;
  let count = 0;
  for (const kid of kids.slice(0, place)) {
    const dict = await pdf.resolve(kid);
    const stated = isDict(dict) && isBranch(dict) ? await pdf.resolve(dict.get('Count')) : 1;
    if (typeof stated !== 'number') return null;
    count += stated;
  }
  return count;
}

/** The page with that one-based number. Uses Count to skip branches, and counts itself when Count lies. */
export async function findPage(pdf: Pdf, number: number): Promise<FoundPage> {
  if (!Number.isInteger(number) || number < 1) throw new PadesError('PAGE_NOT_FOUND');
  const root = await rootNode(pdf);
  const quick = await descend(pdf, root, number - 1).catch(() => null);
  const found = quick ?? (await slowFind(pdf, root, number));
  if (found?.ref == null) {
    throw new PadesError('PAGE_NOT_FOUND', undefined, { page: number });
  }
  const ref = await pdf.refTo(found.ref.num);
  const { dict, inherited } = found;
  return { ref, dict, inherited, info: await pageGeometry(pdf, found) };
}

async function slowFind(pdf: Pdf, root: Node, number: number): Promise<Node | null> {
  let left = number;
  let found: Node | null = null;
  const visit = (page: Node): boolean => {
    if (--left > 0) return true;
    found = page;
    return false;
  };
  await walk(pdf, root, visit, new Set(), 0);
  return found;
}

/** Null when a Count does not add up. */
async function descend(pdf: Pdf, root: Node, index: number): Promise<Node | null> {
  let current = root;
  let left = index;
  const seen = new Set<number>();
  for (let depth = 0; depth <= maxDepth; depth++) {
    if (!isBranch(current.dict)) return left === 0 ? current : null;
    if (current.ref !== null && seen.has(current.ref.num)) return null;
    if (current.ref !== null) seen.add(current.ref.num);
    const kids = (await pdf.resolveArray(current.dict.get('Kids'))) ?? [];
    const count = await pdf.resolve(current.dict.get('Count'));
    // A flat branch (as many kids as pages) needs no look at the earlier kids.
    if (typeof count === 'number' && count === kids.length && left < kids.length) {
      const dict = await pdf.resolve(kids[left]);
      if (!isDict(dict) || isBranch(dict)) return null;
      return node(kids[left], dict, current.inherited);
    }
    const step: { next: Node; left: number } | null = await pickKid(pdf, current, kids, left);
    if (step === null) return null;
    current = step.next;
    left = step.left;
  }
  return null;
}

async function pickKid(pdf: Pdf, parent: Node, kids: PdfObject[], index: number): Promise<{ next: Node; left: number } | null> {
  let left = index;
  for (const kid of kids) {
    const dict = await pdf.resolve(kid);
    if (!isDict(dict)) continue;
    const stated = isBranch(dict) ? await pdf.resolve(dict.get('Count')) : 1;
    if (typeof stated !== 'number' || stated < 0) return null;
    if (left < stated) return { next: node(kid, dict, parent.inherited), left };
    left -= stated;
  }
  return null;
}

/** A page's geometry, with what it inherits. */
export async function pageGeometry(pdf: Pdf, page: Pick<Node, 'dict' | 'inherited'>): Promise<PageInfo> {
  const mediaBox = (await readBox(pdf, page.inherited.get('MediaBox'))) ?? ([0, 0, 612, 792] as const);
  const cropBox = (await readBox(pdf, page.inherited.get('CropBox'))) ?? mediaBox;
  const rotate = await pdf.resolve(page.inherited.get('Rotate'));
  const unit = await pdf.resolve(page.dict.get('UserUnit'));
  return {
    mediaBox,
    cropBox,
    visibleBox: intersectBox(cropBox, mediaBox),
    rotate: typeof rotate === 'number' ? normalizedRotation(rotate) : 0,
    userUnit: typeof unit === 'number' && unit > 0 ? unit : 1,
  };
}

/** A usable box, or null: four numbers with an area. */
async function readBox(pdf: Pdf, value: PdfObject | undefined): Promise<Box | null> {
  const array = await pdf.resolveArray(value);
  if (array === null || array.length < 4) return null;
  const numbers: number[] = [];
  for (const item of array.slice(0, 4)) {
    const number = await pdf.resolve(item);
    if (typeof number !== 'number') return null;
    numbers.push(number);
  }
  const box = normalizedBox(numbers);
  return box[2] - box[0] > 0 && box[3] - box[1] > 0 ? box : null;
}
