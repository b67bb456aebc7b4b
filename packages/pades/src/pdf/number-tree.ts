import { PdfRef, isDict } from './objects.ts';
import type { PdfDict, PdfObject } from './objects.ts';
import type { Pdf } from './pdf.ts';
import type { RevisionWriter } from './revision-writer.ts';

const maxDepth = 32;

/** The largest number of a number tree (ISO 32000-2 §7.9.7), -1 for an empty one. What it lists counts, and what it says it lists. */
export async function largestNumber(pdf: Pdf, tree: PdfObject | undefined, depth = 0): Promise<number> {
  const node = await pdf.resolveDict(tree);
  if (node === null || depth > maxDepth) return -1;
  let largest = -1;
  const note = (value: PdfObject): void => {
    if (typeof value === 'number' && Number.isSafeInteger(value) && value > largest) largest = value;
  };
  const numbers = (await pdf.resolveArray(node.get('Nums'))) ?? [];
  pdf.reader.work.spend(numbers.length);
  for (let at = 0; at < numbers.length; at += 2) note(await pdf.resolve(numbers[at]));
  for (const limit of (await pdf.resolveArray(node.get('Limits'))) ?? []) note(await pdf.resolve(limit));
  // Kids are in order: the last one has the largest.
  const kids = (await pdf.resolveArray(node.get('Kids'))) ?? [];
  if (kids.length > 0) note(await largestNumber(pdf, kids.at(-1), depth + 1));
  return largest;
}

/** What a number stands for, or null. */
export async function lookUpNumber(pdf: Pdf, tree: PdfObject | undefined, wanted: number, depth = 0): Promise<PdfObject> {
  const node = await pdf.resolveDict(tree);
  if (node === null || depth > maxDepth) return null;
  const numbers = (await pdf.resolveArray(node.get('Nums'))) ?? [];
  pdf.reader.work.spend(numbers.length);
  for (let at = 0; at + 1 < numbers.length; at += 2) if ((await pdf.resolve(numbers[at])) === wanted) return numbers[at + 1] ?? null;
  for (const kid of (await pdf.resolveArray(node.get('Kids'))) ?? []) {
    const found = await lookUpNumber(pdf, kid, wanted, depth + 1);
    if (found !== null) return found;
  }
  return null;
}

/** Adds pairs with numbers above those that are there; answers the tree's value, the old one where it is an object of its own. */
export async function appendToNumberTree(
  pdf: Pdf,
  writer: RevisionWriter,
  tree: PdfObject | undefined,
  pairs: readonly (readonly [number: number, value: PdfObject])[],
): Promise<PdfObject> {
  const current = (await pdf.resolveDict(tree)) ?? new Map<string, PdfObject>();
  if (pairs.length === 0) return tree ?? current;
  const flat = pairs.flatMap(([number, value]) => [number, value]);
  const grown: PdfDict = new Map(current);
  const kids = await pdf.resolveArray(current.get('Kids'));
  if (kids !== null && kids.length > 0) {
    const leaf = writer.add(
      new Map<string, PdfObject>([
        ['Limits', [pairs[0]?.[0] ?? 0, pairs.at(-1)?.[0] ?? 0]],
        ['Nums', flat],
      ]),
    );
    await growList(pdf, writer, grown, 'Kids', [leaf]);
  } else await growList(pdf, writer, grown, 'Nums', flat);
  if (!(tree instanceof PdfRef) || !isDict(await pdf.resolve(tree))) return writer.add(grown);
  writer.set(await pdf.refTo(tree.num), grown);
  return tree;
}

async function growList(pdf: Pdf, writer: RevisionWriter, node: PdfDict, key: string, added: readonly PdfObject[]): Promise<void> {
  const raw = node.get(key);
  const list = await pdf.resolveArray(raw);
  if (raw instanceof PdfRef && list !== null) writer.set(await pdf.refTo(raw.num), [...list, ...added]);
  else node.set(key, [...(list ?? []), ...added]);
}
