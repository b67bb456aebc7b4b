import { appendToNumberTree, largestNumber } from './number-tree.ts';
import { PdfName, PdfRef, dict, isDict, isName, textString } from './objects.ts';
import type { PdfDict, PdfObject } from './objects.ts';
import { catalogOf } from './pages.ts';
import type { Pdf } from './pdf.ts';
import type { RevisionWriter } from './revision-writer.ts';

interface Node {
  readonly ref: PdfRef;
  readonly dict: PdfDict;
}

/**
 * Adds to the logical structure of a tagged file (ISO 32000-2 §14.7): elements under the one that holds the document, and what
 * leads from content to them. What is there stays as it is, in its order.
 */
export class StructureEditor {
  private readonly pdf: Pdf;
  private readonly writer: RevisionWriter;
  private readonly root: Node;
  /** The document's own element, else the root. */
  private readonly parent: Node;
  /** Null: not looked for yet; the tree may be as long as the document. */
  private next: number | null = null;
  /** In reading order: what speaks of pages that were there, the appended pages themselves, and what speaks of those. */
  private readonly elements: [PdfRef[], PdfRef[], PdfRef[]] = [[], [], []];
  private readonly appended = new Set<number>();
  private readonly leads: [number: number, to: PdfObject][] = [];

  private constructor(pdf: Pdf, writer: RevisionWriter, root: Node, parent: Node) {
    this.pdf = pdf;
    this.writer = writer;
    this.root = root;
    this.parent = parent;
  }

  /** Null: the file has no structure that could be added to. */
  static async open(pdf: Pdf, writer: RevisionWriter): Promise<StructureEditor | null> {
    const root = await rootOf(pdf);
    if (root === null) return null;
    return new StructureEditor(pdf, writer, root, (await onlyElement(pdf, root)) ?? root);
  }

  /** The element under which others are added. */
  get parentRef(): PdfRef {
    return this.parent.ref;
  }

  /** A Form element that speaks of a widget; answers the widget's StructParent (§14.7.5.3). */
  async addForm(widget: PdfRef, page: PdfRef, language?: string): Promise<number> {
    const element = this.writer.add(
      dict({
        Type: new PdfName('StructElem'),
        S: new PdfName('Form'),
        P: this.parent.ref,
        Pg: page,
        ...(language === undefined ? {} : { Lang: textString(language) }),
        K: dict({ Type: new PdfName('OBJR'), Obj: widget, Pg: page }),
      }),
    );
    this.elements[this.appended.has(page.num) ? 2 : 0].push(element);
    return this.lead(element);
  }

  /** An element of appended pages that is written already, with `P` as `parentRef`. */
  addElement(element: PdfRef): void {
    this.elements[1].push(element);
  }

  /** What speaks of these pages is read behind what they say. */
  standBehind(pages: readonly PdfRef[]): void {
    for (const { num } of pages) this.appended.add(num);
  }

  /** A new number of the parent tree, and what it leads to. */
  async lead(to: PdfObject): Promise<number> {
    const number = this.next ?? (await this.firstFree());
    this.next = number + 1;
    this.leads.push([number, to]);
    return number;
  }

  private async firstFree(): Promise<number> {
    const { pdf, root } = this;
    const stated = await pdf.resolve(root.dict.get('ParentTreeNextKey'));
    const used = await largestNumber(pdf, root.dict.get('ParentTree'));
    return Math.max(typeof stated === 'number' && Number.isSafeInteger(stated) ? stated : 0, used + 1);
  }

  /** Writes what was added. */
  async finish(): Promise<void> {
    const { pdf, writer, root, parent } = this;
    if (this.elements.flat().length === 0 && this.leads.length === 0) return;
    const isRoot = parent === root;
    const updated: PdfDict = new Map(root.dict);
    const grown = isRoot ? updated : new Map(parent.dict);
    await this.extendKids(grown);
    if (!isRoot) writer.set(parent.ref, grown);
    updated.set('ParentTree', await appendToNumberTree(pdf, writer, root.dict.get('ParentTree'), this.leads));
    if (this.next !== null) updated.set('ParentTreeNextKey', this.next);
    writer.set(root.ref, updated);
  }

  private async extendKids(element: PdfDict): Promise<void> {
    const raw = element.get('K');
    const kids = await this.pdf.resolve(raw);
    const added = this.elements.flat();
    if (raw instanceof PdfRef && Array.isArray(kids)) this.writer.set(await this.pdf.refTo(raw.num), [...kids, ...added]);
    else element.set('K', [...(Array.isArray(kids) ? kids : raw === undefined || kids === null ? [] : [raw]), ...added]);
  }
}

/** The file has a structure that can be added to. */
export async function isTagged(pdf: Pdf): Promise<boolean> {
  return (await rootOf(pdf)) !== null;
}

async function rootOf(pdf: Pdf): Promise<Node | null> {
  const root = await nodeAt(pdf, (await catalogOf(pdf)).dict.get('StructTreeRoot'));
  return root?.dict.has('K') === true && (await isOfType(pdf, root, 'StructTreeRoot')) ? root : null;
}

async function nodeAt(pdf: Pdf, value: PdfObject | undefined): Promise<Node | null> {
  const found = value instanceof PdfRef ? await pdf.resolve(value) : null;
  return value instanceof PdfRef && isDict(found) ? { ref: await pdf.refTo(value.num), dict: found } : null;
}

/** The root's one kid, where there is one: the document (§14.8.4.3). */
async function onlyElement(pdf: Pdf, root: Node): Promise<Node | null> {
  const raw = root.dict.get('K');
  const kids = await pdf.resolve(raw);
  if (!Array.isArray(kids)) return elementAt(pdf, raw);
  return kids.length === 1 ? elementAt(pdf, kids[0]) : null;
}

async function elementAt(pdf: Pdf, value: PdfObject | undefined): Promise<Node | null> {
  const node = await nodeAt(pdf, value);
  const isElement = node !== null && (await pdf.resolve(node.dict.get('S'))) instanceof PdfName;
  return isElement && (await isOfType(pdf, node, 'StructElem')) ? node : null;
}

/** Not something else that passes for structure: it is written over. */
async function isOfType(pdf: Pdf, { dict: entries }: Node, type: string): Promise<boolean> {
  const stated = await pdf.resolve(entries.get('Type'));
  return stated === null || isName(stated, type);
}
