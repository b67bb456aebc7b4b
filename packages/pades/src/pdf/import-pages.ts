import { PadesError } from '../errors.ts';
import { PdfName, PdfRef, PdfStream, PdfString, isDict } from './objects.ts';
import type { PdfDict, PdfObject } from './objects.ts';
import { catalogOf, countPages, findPage } from './pages.ts';
import type { FoundPage } from './pages.ts';
import type { Pdf } from './pdf.ts';
import { requirementsOf } from './requirements.ts';
import type { ColourSpaces } from './requirements.ts';
import { importStructure } from './import-structure.ts';
import type { StructureEditor } from './structure-editor.ts';
import type { RevisionWriter } from './revision-writer.ts';

const maxImported = 20_000;
/** Entries that tie a page or annotation to the document it comes from. */
const foreign = new Set(['Parent', 'B', 'Tabs', 'PieceInfo']);
const ties = new Set(['StructParents', 'StructParent']);

/** Copies objects of one file into a revision of another, each once, under new numbers. */
export class Importer {
  /** Copies that the structure of their own file leads to (§14.7.5.4), and by which number. */
  readonly tied: { readonly copy: PdfDict; readonly key: string; readonly number: PdfObject }[] = [];
  readonly from: Pdf;
  private readonly writer: RevisionWriter;
  private readonly copied = new Map<number, PdfRef>();

  constructor(from: Pdf, writer: RevisionWriter) {
    this.from = from;
    this.writer = writer;
  }

  /** References to this source object become references to `target`. */
  alias(num: number, target: PdfRef): void {
    this.copied.set(num, target);
  }

  async copy(value: PdfObject, depth = 0): Promise<PdfObject> {
    if (depth > 200) throw new PadesError('TOO_COMPLEX', 'imported page nests too deeply');
    if (value instanceof PdfRef) return this.copyRef(value, depth);
    if (Array.isArray(value)) {
      const items: PdfObject[] = [];
      // Lists of widths are long, and waiting for each number would take longer than copying it.
      for (const item of value) items.push(isPlain(item) ? item : await this.copy(item, depth + 1));
      return items;
    }
    if (value instanceof PdfStream) {
      const data = await this.from.rawStreamData(value);
      return new PdfStream(await this.copyDict(value.dict, depth), data.slice());
    }
    return isDict(value) ? this.copyDict(value, depth) : value;
  }

  private async copyRef(ref: PdfRef, depth: number): Promise<PdfRef> {
    const known = this.copied.get(ref.num);
    if (known !== undefined) return known;
    if (this.copied.size >= maxImported) throw new PadesError('TOO_COMPLEX', 'too many objects');
    const target = this.writer.reserve();
    this.copied.set(ref.num, target);
    this.writer.set(target, await this.copy(await this.from.object(ref.num), depth + 1));
    return target;
  }

  async copyDict(entries: PdfDict, depth: number): Promise<PdfDict> {
    const result: PdfDict = new Map();
    for (const [key, value] of entries) {
      if (ties.has(key)) this.tied.push({ copy: result, key, number: value });
      else if (!foreign.has(key)) result.set(key, isPlain(value) ? value : await this.copy(value, depth + 1));
    }
    return result;
  }
}

/** Leads nowhere and holds nothing: the same in any file. */
function isPlain(value: PdfObject): boolean {
  return typeof value !== 'object' || value === null || value instanceof PdfName || value instanceof PdfString;
}

export interface AppendedPage {
  readonly ref: PdfRef;
  readonly dict: PdfDict;
  readonly rotate: FoundPage['info']['rotate'];
  readonly info: FoundPage['info'];
}

/**
 * Appends all pages of `from` after the last page of `pdf`. What the pages inherited in their own file is written on
 * them, and what they would inherit wrongly here (Rotate, CropBox, Resources) is overridden. Their structure joins that of the
 * file, where both have one; their colours mean sRGB where the file's standard knows no others.
 */
export async function appendPages(
  pdf: Pdf,
  writer: RevisionWriter,
  from: Pdf,
  structure: StructureEditor | null = null,
): Promise<AppendedPage[]> {
  if (from.locked) throw new PadesError('ENCRYPTED', 'pages to append');
  const count = await countPages(from, 1000);
  if (count === 0 || count > 1000) throw new PadesError('INVALID_PLAN', 'pages to append');
  const root = await pageTreeRoot(pdf);
  const importer = new Importer(from, writer);
  const sources: FoundPage[] = [];
  for (let number = 1; number <= count; number++) sources.push(await findPage(from, number));
  const targets = sources.map((source) => {
    const ref = writer.reserve();
    importer.alias(source.ref.num, ref);
    return { source, ref };
  });
  const { colours } = await requirementsOf(pdf);
  const appended: AppendedPage[] = [];
  for (const { source, ref } of targets) {
    const page = await pageCopy(importer, source, root.ref, colours);
    writer.set(ref, page);
    appended.push({ ref, dict: page, rotate: source.info.rotate, info: source.info });
  }
  if (structure !== null) await importStructure(importer, structure, appended);
  await extendTree(
    pdf,
    writer,
    root,
    appended.map(({ ref }) => ref),
  );
  return appended;
}

async function pageCopy(importer: Importer, source: FoundPage, parent: PdfRef, colours: ColourSpaces): Promise<PdfDict> {
  const { info } = source;
  const page = await importer.copyDict(source.dict, 0);
  page.set('Type', new PdfName('Page'));
  page.set('Parent', parent);
  page.set('MediaBox', [...info.mediaBox]);
  page.set('CropBox', [...info.cropBox]);
  page.set('Rotate', info.rotate);
  page.set('Resources', await withDefaultColours(importer, source.inherited.get('Resources'), colours));
  return page;
}

/** What the page says in the colours of a device is said in those of none, where the file's own are others (§8.6.5.6). */
async function withDefaultColours(importer: Importer, value: PdfObject | undefined, { gray, rgb }: ColourSpaces): Promise<PdfObject> {
  const defaults = [
    ['DefaultGray', gray],
    ['DefaultRGB', rgb],
  ] as const;
  const added = defaults.filter(([, space]) => !(space instanceof PdfName));
  if (added.length === 0) return importer.copy(value ?? new Map());
  const resources = (await importer.from.resolveDict(value)) ?? new Map<string, PdfObject>();
  const copied = await importer.copyDict(resources, 0);
  const spaces = await importer.from.resolveDict(resources.get('ColorSpace'));
  copied.set('ColorSpace', new Map<string, PdfObject>([...added, ...(spaces === null ? [] : await importer.copyDict(spaces, 0))]));
  return copied;
}

interface TreeRoot {
  ref: PdfRef;
  dict: PdfDict;
}

async function pageTreeRoot(pdf: Pdf): Promise<TreeRoot> {
  const catalog = await catalogOf(pdf);
  const raw = catalog.dict.get('Pages');
  const tree = await pdf.resolve(raw);
  if (!(raw instanceof PdfRef) || !isDict(tree)) throw new PadesError('DAMAGED', 'no page tree');
  return { ref: await pdf.refTo(raw.num), dict: tree };
}

async function extendTree(pdf: Pdf, writer: RevisionWriter, root: TreeRoot, added: PdfRef[]): Promise<void> {
  const raw = root.dict.get('Kids');
  const kids = await pdf.resolveArray(raw);
  // A "tree" that is a single page: it gets a real root above it.
  if (kids === null) {
    await wrapSinglePage(pdf, writer, root, added);
    return;
  }
  const stated = await pdf.resolve(root.dict.get('Count'));
  const count = typeof stated === 'number' && stated >= 0 ? stated : await countPages(pdf, 100_000);
  const updated: PdfDict = new Map([...root.dict, ['Count', count + added.length]]);
  if (raw instanceof PdfRef) writer.set(await pdf.refTo(raw.num), [...kids, ...added]);
  else updated.set('Kids', [...kids, ...added]);
  writer.set(root.ref, updated);
}

async function wrapSinglePage(pdf: Pdf, writer: RevisionWriter, root: TreeRoot, added: PdfRef[]): Promise<void> {
  const moved = writer.add(new Map([...root.dict, ['Parent', root.ref]]));
  const tree: PdfDict = new Map<string, PdfObject>([
    ['Type', new PdfName('Pages')],
    ['Kids', [moved, ...added]],
    ['Count', added.length + (await countPages(pdf, 10))],
  ]);
  writer.set(root.ref, tree);
}
