import type { AppendedPage, Importer } from './import-pages.ts';
import { lookUpNumber } from './number-tree.ts';
import { PdfName, PdfRef } from './objects.ts';
import { catalogOf } from './pages.ts';
import type { StructureEditor } from './structure-editor.ts';

/**
 * The structure of appended pages joins that of the file: elements under the one that holds the document, and what leads from the
 * pages' content to them. Types of elements are taken as they are called: what a RoleMap makes of them stays behind.
 */
export async function importStructure(importer: Importer, structure: StructureEditor, pages: readonly AppendedPage[]): Promise<void> {
  const { from } = importer;
  const rootRef = (await catalogOf(from)).dict.get('StructTreeRoot');
  const root = await from.resolveDict(rootRef);
  if (!(rootRef instanceof PdfRef) || root === null) return;
  importer.alias(rootRef.num, structure.parentRef);
  const kids = await from.resolve(root.get('K'));
  for (const kid of Array.isArray(kids) ? kids : [root.get('K')]) {
    const copied = kid instanceof PdfRef ? await importer.copy(kid) : null;
    if (copied instanceof PdfRef) structure.addElement(copied);
  }
  structure.standBehind(pages.map(({ ref }) => ref));
  // Elements may bring what is tied as well; each once.
  for (const { copy, key, number } of importer.tied) {
    const leads = typeof number === 'number' ? await lookUpNumber(from, root.get('ParentTree'), number) : null;
    if (leads !== null) copy.set(key, await structure.lead(await importer.copy(leads)));
  }
  for (const { dict } of pages) if (dict.has('StructParents')) dict.set('Tabs', new PdfName('S'));
}
