import { PdfName, PdfRef, PdfString, decodeText, dictOf, isDict, isName } from '../../pdf/objects.ts';
import type { PdfDict, PdfObject } from '../../pdf/objects.ts';
import { acroFormOf } from '../../pdf/form.ts';
import type { AcroForm } from '../../pdf/form.ts';
import type { Pdf } from '../../pdf/pdf.ts';

const maxNodes = 50_000;
const maxDepth = 32;

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

export async function formModel(pdf: Pdf): Promise<FormModel> {
  const form = await acroFormOf(pdf);
  const walk = new Walk(pdf);
  for (const item of form === null ? [] : ((await pdf.resolveArray(form.dict.get('Fields'))) ?? [])) {
    await walk.visit(item, { name: '', type: null, flags: 0, value: null }, 0);
  }
  return { form, nodes: walk.nodes, appearances: walk.appearances, irregular: walk.irregular };
}

class Walk {
  readonly nodes = new Map<number, FieldNode>();
  readonly appearances = new Map<number, FieldNode>();
  irregular = false;
  private readonly pdf: Pdf;

  constructor(pdf: Pdf) {
    this.pdf = pdf;
  }

  async visit(item: PdfObject, from: Inherited, depth: number): Promise<void> {
    const dict = item instanceof PdfRef ? await this.pdf.resolve(item) : null;
    if (!(item instanceof PdfRef) || !isDict(dict)) return;
    this.pdf.reader.work.spend(64);
    if (depth > maxDepth || this.nodes.size >= maxNodes || this.nodes.has(item.num)) {
      this.irregular = true;
      return;
    }
    const own = await this.describe(dict, from);
    const isWidget = isName(await this.pdf.resolve(dict.get('Subtype')), 'Widget') || dict.has('Rect');
    const node = { num: item.num, dict, isWidget, ...own };
    this.nodes.set(item.num, node);
    if (isWidget) await this.noteAppearances(node, dict.get('AP'), 0);
    for (const kid of (await this.pdf.resolveArray(dict.get('Kids'))) ?? []) await this.visit(kid, own, depth + 1);
  }

  private async describe(dict: PdfDict, from: Inherited): Promise<Inherited> {
    const t = await this.pdf.resolve(dict.get('T'));
    const type = await this.pdf.resolve(dict.get('FT'));
    const flags = await this.pdf.resolve(dict.get('Ff'));
    const partial = t instanceof PdfString ? decodeText(t) : null;
    return {
      name: partial === null ? from.name : from.name ? `${from.name}.${partial}` : partial,
      type: type instanceof PdfName ? type.value : from.type,
      flags: typeof flags === 'number' ? flags : from.flags,
      value: dict.get('V') ?? from.value,
    };
  }

  /** AP → its entries → state dictionaries → streams. */
  private async noteAppearances(node: FieldNode, value: PdfObject | undefined, depth: number): Promise<void> {
    if (value === undefined || depth > 3) return;
    if (value instanceof PdfRef) this.appearances.set(value.num, node);
    const resolved = await this.pdf.resolve(value);
    if (!isDict(resolved)) return;
    for (const item of resolved.values())
      if (item instanceof PdfRef || dictOf(item) !== null) await this.noteAppearances(node, item, depth + 1);
  }
}

/** Where a widget shows something: a rectangle with an area, not hidden. One that cannot be read may be anything. */
export async function isVisible(pdf: Pdf, dict: PdfDict): Promise<boolean> {
  const flags = await pdf.resolve(dict.get('F'));
  // Hidden and NoView (ISO 32000-2 §12.5.3).
  if (typeof flags === 'number' && (flags & (2 | 32)) !== 0) return false;
  const rect = await rectOf(pdf, dict);
  if (rect === null) return dict.has('Rect');
  return rect[2] > rect[0] && rect[3] > rect[1];
}

export async function rectOf(pdf: Pdf, dict: PdfDict): Promise<[number, number, number, number] | null> {
  const array = await pdf.resolveArray(dict.get('Rect'));
  const [a, b, c, d] = await Promise.all((array ?? []).slice(0, 4).map((item) => pdf.resolve(item)));
  if (typeof a !== 'number' || typeof b !== 'number' || typeof c !== 'number' || typeof d !== 'number') return null;
  return [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)];
}
