import { PadesError } from '../../errors.ts';
import { PdfName, PdfRef, PdfStream, PdfString, decodeText, dictOf, isDict, isName } from '../../pdf/objects.ts';
import type { PdfDict, PdfObject } from '../../pdf/objects.ts';
import { acroFormOf } from '../../pdf/form.ts';
import type { AcroForm } from '../../pdf/form.ts';
import type { Pdf } from '../../pdf/pdf.ts';
import { holdsObjects } from './appended.ts';
import type { ChangedObject } from './changed-objects.ts';

const maxNodes = 50_000;
const maxDepth = 32;
const maxStates = 64;

/** An object of the field tree: a field, a widget, or both in one. */
export interface FieldNode {
  readonly num: number;
  readonly name: string;
  readonly type: string | null;
  readonly dict: PdfDict;
  readonly flags: number;
  /** As inherited; a reference stays one. */
  readonly value: PdfObject;
  readonly isWidget: boolean;
}

/** The form of one state of the file. */
export interface FormModel {
  readonly form: AcroForm | null;
  readonly nodes: ReadonlyMap<number, FieldNode>;
  /** Object numbers of appearance dictionaries and streams → the field node they dress. */
  readonly appearances: ReadonlyMap<number, FieldNode>;
  /** Fields that are direct values, or met twice: nobody can say whose they are. */
  readonly irregular: boolean;
}

interface Inherited {
  name: string;
  type: string | null;
  flags: number;
  value: PdfObject;
}

/** One entry of Fields with everything below it, and the objects that this was read from. */
interface OpenBranch {
  readonly nodes: FieldNode[];
  readonly appearances: [num: number, node: FieldNode][];
  readonly readFrom: Set<number>;
  /** Something it refers to is not there. */
  isTorn: boolean;
}

type Branch = Readonly<OpenBranch>;

/** Branches by the number of their first object, of a model that is not irregular. */
const branchesOf = new WeakMap<FormModel, ReadonlyMap<number, Branch>>();

/** The state before, its form, and what is different now. */
export interface EarlierForm {
  readonly model: FormModel;
  readonly changed: ReadonlyMap<number, ChangedObject>;
}

/**
 * Reads the form of a state. `earlier` lends what did not change since: a hundred signatures in a hundred revisions are a
 * hundred fields each time.
 */
export async function formModel(pdf: Pdf, earlier?: EarlierForm): Promise<FormModel> {
  const form = await acroFormOf(pdf);
  const walk = new Walk(pdf);
  const branches = new Map<number, Branch>();
  const lent = earlier === undefined ? null : lentBranches(earlier);
  for (const item of form === null ? [] : ((await pdf.resolveArray(form.dict.get('Fields'))) ?? [])) {
    const known = item instanceof PdfRef ? lent?.(item.num) : undefined;
    const branch = known ?? (await walk.branch(item));
    if (known !== undefined) walk.take(known);
    if (item instanceof PdfRef) branches.set(item.num, branch);
  }
  const { nodes, appearances, irregular } = walk;
  const model = { form, nodes, appearances, irregular };
  if (!irregular) branchesOf.set(model, branches);
  return model;
}

/** The earlier state's branches that still stand as they were. */
function lentBranches({ model, changed }: EarlierForm): ((num: number) => Branch | undefined) | null {
  const branches = branchesOf.get(model);
  // What a changed container holds may have changed without being named.
  if (branches === undefined || [...changed.values()].some(({ before }) => holdsObjects(before))) return null;
  const touched = new Set<Branch>();
  for (const branch of branches.values()) {
    if (branch.isTorn || intersects(branch.readFrom, changed)) touched.add(branch);
  }
  return (num) => {
    const branch = branches.get(num);
    return branch === undefined || touched.has(branch) ? undefined : branch;
  };
}

function intersects(some: ReadonlySet<number>, others: ReadonlyMap<number, unknown>): boolean {
  const [fewer, more] = some.size < others.size ? [some, others] : [others, some];
  for (const num of fewer.keys()) if (more.has(num)) return true;
  return false;
}

class Walk {
  readonly nodes = new Map<number, FieldNode>();
  readonly appearances = new Map<number, FieldNode>();
  irregular = false;
  private readonly pdf: Pdf;
  private own: OpenBranch = { nodes: [], appearances: [], readFrom: new Set(), isTorn: false };

  constructor(pdf: Pdf) {
    this.pdf = pdf;
  }

  /** Reads an entry of Fields. */
  async branch(item: PdfObject): Promise<Branch> {
    const own: OpenBranch = { nodes: [], appearances: [], readFrom: new Set(), isTorn: false };
    this.own = own;
    await this.visit(item, { name: '', type: null, flags: 0, value: null }, 0);
    return own;
  }

  /** Takes over what was read in an earlier state. */
  take({ nodes, appearances }: Branch): void {
    for (const node of nodes) {
      if (this.nodes.has(node.num) || this.nodes.size >= maxNodes) this.irregular = true;
      else this.nodes.set(node.num, node);
      this.pdf.reader.work.spend(32);
    }
    for (const [num, node] of appearances) this.appearances.set(num, node);
  }

  private async resolve(value: PdfObject | undefined): Promise<PdfObject> {
    let current = value ?? null;
    for (let hops = 0; current instanceof PdfRef; hops++) {
      if (hops >= maxDepth) throw new PadesError('TOO_COMPLEX', 'references in a circle');
      this.own.readFrom.add(current.num);
      current = await this.pdf.object(current.num);
      if (current === null) this.own.isTorn = true;
    }
    return current;
  }

  private async visit(item: PdfObject, from: Inherited, depth: number): Promise<void> {
    const dict = item instanceof PdfRef ? await this.resolve(item) : null;
    if (!(item instanceof PdfRef) || !isDict(dict)) return;
    this.pdf.reader.work.spend(64);
    if (depth > maxDepth || this.nodes.size >= maxNodes || this.nodes.has(item.num)) {
      this.irregular = true;
      return;
    }
    const own = await this.describe(dict, from);
    const isWidget = isName(await this.resolve(dict.get('Subtype')), 'Widget') || dict.has('Rect');
    const node = { num: item.num, dict, isWidget, ...own };
    this.nodes.set(item.num, node);
    this.own.nodes.push(node);
    if (isWidget) await this.noteAppearances(node, dict.get('AP'), 0);
    const kids = await this.resolve(dict.get('Kids'));
    for (const kid of Array.isArray(kids) ? kids : []) await this.visit(kid, own, depth + 1);
  }

  private async describe(dict: PdfDict, from: Inherited): Promise<Inherited> {
    const t = await this.resolve(dict.get('T'));
    const type = await this.resolve(dict.get('FT'));
    const flags = await this.resolve(dict.get('Ff'));
    const partial = t instanceof PdfString ? decodeText(t) : null;
    // A widget of a field with several has no value and no nature of its own.
    const isWidgetOnly = partial === null && from.name !== '';
    return {
      name: partial === null ? from.name : from.name ? `${from.name}.${partial}` : partial,
      type: type instanceof PdfName && !(isWidgetOnly && from.type !== null) ? type.value : from.type,
      flags: (typeof flags === 'number' ? flags : from.flags) | (isWidgetOnly ? from.flags : 0),
      value: isWidgetOnly ? from.value : (dict.get('V') ?? from.value),
    };
  }

  /** AP → its entries → state dictionaries → streams. */
  private async noteAppearances(node: FieldNode, value: PdfObject | undefined, depth: number): Promise<void> {
    if (value === undefined || depth > 3) return;
    if (value instanceof PdfRef) {
      this.appearances.set(value.num, node);
      this.own.appearances.push([value.num, node]);
    }
    const resolved = await this.resolve(value);
    if (!isDict(resolved)) return;
    for (const item of resolved.values())
      if (item instanceof PdfRef || dictOf(item) !== null) await this.noteAppearances(node, item, depth + 1);
  }
}

/** ISO 32000-2 §12.5.3. */
export const annotationFlags = {
  invisible: 1,
  hidden: 2,
  print: 4,
  noZoom: 8,
  noRotate: 16,
  noView: 32,
  locked: 128,
  toggleNoView: 256,
  lockedContents: 512,
} as const;

/** F of an annotation, 0 when it is missing, null for what is no whole number. */
export async function flagsOf(pdf: Pdf, dict: PdfDict): Promise<number | null> {
  const flags = (await pdf.resolve(dict.get('F'))) ?? 0;
  return typeof flags === 'number' && Number.isInteger(flags) && flags >= 0 && flags < 2 ** 31 ? flags : null;
}

/**
 * Where a widget shows something, on the screen or on paper: a rectangle with an area, not hidden. NoView is printed, and some
 * readers show it on the screen too. One that cannot be read may be anything.
 */
export async function isVisible(pdf: Pdf, dict: PdfDict): Promise<boolean> {
  const flags = await flagsOf(pdf, dict);
  if (flags !== null && (flags & annotationFlags.hidden) !== 0) return false;
  const rect = await rectOf(pdf, dict);
  if (rect === null) return dict.has('Rect');
  return (rect[2] > rect[0] && rect[3] > rect[1]) || paints(pdf, dict);
}

/** A look that shows something: Ghostscript draws it as large as it is where the rectangle has no area. */
export async function paints(pdf: Pdf, dict: PdfDict): Promise<boolean> {
  const looks = await pdf.resolveDict(dict.get('AP'));
  for (const look of looks?.values() ?? []) {
    const found = await pdf.resolve(look);
    const states = isDict(found) ? [...found.values()] : [found];
    for (const state of states.slice(0, maxStates)) if (await streamPaints(pdf, await pdf.resolve(state))) return true;
    if (states.length > maxStates) return true;
  }
  return false;
}

async function streamPaints(pdf: Pdf, look: PdfObject): Promise<boolean> {
  if (!(look instanceof PdfStream)) return false;
  const box = (await pdf.resolveArray(look.dict.get('BBox'))) ?? [];
  const [a, b, c, d] = await Promise.all(box.slice(0, 4).map((item) => pdf.resolve(item)));
  const isEmpty = typeof a === 'number' && typeof b === 'number' && (a === c || b === d);
  if (isEmpty) return false;
  const content = await pdf.streamData(look);
  return content === null || content.some((byte) => byte > 32);
}

/** Visible, and nothing that hides it in some places: on the screen, or until somebody points at it. */
export async function isShownFully(pdf: Pdf, dict: PdfDict): Promise<boolean> {
  const { invisible, noView, toggleNoView } = annotationFlags;
  const flags = await flagsOf(pdf, dict);
  return flags !== null && (flags & (invisible | noView | toggleNoView)) === 0 && isVisible(pdf, dict);
}

export type Rect = [number, number, number, number];

export async function rectOf(pdf: Pdf, dict: PdfDict): Promise<Rect | null> {
  const array = await pdf.resolveArray(dict.get('Rect'));
  if (array?.length !== 4) return null;
  const [a, b, c, d] = await Promise.all(array.map((item) => pdf.resolve(item)));
  if (typeof a !== 'number' || typeof b !== 'number' || typeof c !== 'number' || typeof d !== 'number') return null;
  return [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)];
}
