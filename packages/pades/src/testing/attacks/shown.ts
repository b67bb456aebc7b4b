import { PdfName, PdfRef, PdfStream, PdfString, isDict } from '../../pdf/objects.ts';
import type { PdfObject } from '../../pdf/objects.ts';
import { catalogOf } from '../../pdf/pages.ts';
import type { Pdf } from '../../pdf/pdf.ts';
import { hexText } from '../../pdf/hex.ts';
import { at } from './bases.ts';

/** Of a page or widget, what is not painted or may grow. */
const aside = new Set(['Annots', 'Parent', 'P', 'StructParents', 'StructParent', 'Tabs', 'LastModified', 'Length', 'M', 'NM', 'Lock']);

/**
 * What the reader of the contract sees, as one text: pages in order with everything they are painted with, and the boxes
 * that nobody may touch. Made by following references and nothing else, so that it knows nothing of the verifier's rules.
 */
export async function shownText(pdf: Pdf): Promise<string> {
  const { dict } = await catalogOf(pdf);
  const form = await pdf.resolveDict(dict.get('AcroForm'));
  const parts = [await pageTexts(pdf, dict.get('Pages') ?? null, 0)];
  for (const num of [at.link, at.fixed, at.ana]) parts.push(await textOf(pdf, new PdfRef(num, 0), new Set()));
  for (const key of ['OpenAction', 'Names', 'OCProperties']) parts.push(await textOf(pdf, dict.get(key) ?? null, new Set()));
  parts.push(await textOf(pdf, form?.get('XFA') ?? null, new Set()));
  return parts.join('\n');
}

async function pageTexts(pdf: Pdf, node: PdfObject, depth: number): Promise<string> {
  const dict = await pdf.resolve(node);
  if (!isDict(dict) || depth > 8) return '';
  const kids = await pdf.resolveArray(dict.get('Kids'));
  const own = new Map([...dict].filter(([key]) => key !== 'Kids'));
  const text = await textOf(pdf, own, new Set());
  const below = kids === null ? [] : await Promise.all(kids.slice(0, 20).map((kid) => pageTexts(pdf, kid, depth + 1)));
  return `${text}{${below.join()}}`;
}

async function textOf(pdf: Pdf, value: PdfObject, above: ReadonlySet<number>): Promise<string> {
  if (value instanceof PdfRef) {
    if (above.has(value.num) || above.size > 12) return '@';
    return textOf(pdf, await pdf.object(value.num), new Set([...above, value.num]));
  }
  if (value instanceof PdfName) return `/${value.value}`;
  if (value instanceof PdfString) return hexText(value.bytes);
  if (Array.isArray(value)) return `[${(await Promise.all(value.map((item) => textOf(pdf, item, above)))).join(' ')}]`;
  if (isDict(value)) {
    const keys = [...value.keys()].filter((key) => !aside.has(key)).toSorted();
    return `<${(await Promise.all(keys.map(async (key) => `${key} ${await textOf(pdf, value.get(key) ?? null, above)}`))).join(' ')}>`;
  }
  if (value instanceof PdfStream) {
    // A cross-reference stream is painted by nobody through its Root.
    const dict = new Map([...value.dict].filter(([key]) => key !== 'Root' && key !== 'Info'));
    return `${await textOf(pdf, dict, above)}${hexText(await pdf.rawStreamData(value))}`;
  }
  return String(value);
}
