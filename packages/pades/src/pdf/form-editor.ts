import { PadesError } from '../errors.ts';
import { acroFormOf, listFields } from './form.ts';
import { normalizedBox } from './geometry.ts';
import type { Box } from './geometry.ts';
import { PdfName, PdfRef, PdfStream, dict, isDict, textString } from './objects.ts';
import type { PdfDict, PdfObject } from './objects.ts';
import { pdfVersion } from './version.ts';
import { catalogOf } from './pages.ts';
import type { PageInfo } from './pages.ts';
import type { Pdf } from './pdf.ts';
import { assertOwnerPermits } from './security/owner-permits.ts';
import { readPermissions } from './permissions.ts';
import { requirementsOf } from './requirements.ts';
import type { Requirements } from './requirements.ts';
import type { RevisionWriter } from './revision-writer.ts';
import { StructureEditor } from './structure-editor.ts';

/** A page as it is now, or as this revision creates it. */
interface TargetPage {
  readonly ref: PdfRef;
  readonly dict: PdfDict;
  readonly info?: PageInfo;
}

const defaultAppearance = '/Helv 0 Tf 0 g';

/**
 * Adds fields to a document's form and widgets to its pages, touching as few objects as can be. What the file's standards ask of a
 * field goes with it: a look in PDF/A; where the file is tagged, an element of the structure, a tooltip and an order of tabs.
 */
export class FormEditor {
  private readonly pdf: Pdf;
  private readonly writer: RevisionWriter;
  /** Null: the file is not tagged, or was signed and claims nothing of its tags. */
  readonly structure: StructureEditor | null;
  private readonly names: Set<string>;
  private readonly requirements: Requirements;
  private readonly fields: PdfRef[] = [];
  private readonly widgets = new Map<number, { page: TargetPage; refs: PdfRef[] }>();
  private resources = false;

  private constructor(pdf: Pdf, writer: RevisionWriter, names: Set<string>, structure: StructureEditor | null, requirements: Requirements) {
    this.pdf = pdf;
    this.writer = writer;
    this.names = names;
    this.structure = structure;
    this.requirements = requirements;
  }

  static async open(pdf: Pdf, writer: RevisionWriter): Promise<FormEditor> {
    const fields = await listFields(pdf);
    // A terminal field "a.b" also occupies the root name "a".
    const names = fields.flatMap(({ name }) => [name, name.split('.')[0] ?? name]);
    const requirements = await requirementsOf(pdf);
    const structure = await StructureEditor.open(pdf, writer);
    // What somebody signed is touched no further than its standard asks for: some documents show more by their structure.
    const isLeft = structure !== null && !requirements.tags && (await readPermissions(pdf)).signatures.some(({ signed }) => signed);
    return new FormEditor(pdf, writer, new Set(names), isLeft ? null : structure, requirements);
  }

  /**
   * Adds a field merged with its one widget. `language`: of what a screen reader says of it, where it is not the document's (BCP 47).
   */
  async addField(partialName: string, entries: PdfDict, page: TargetPage, language?: string): Promise<PdfRef> {
    assertOwnerPermits(this.pdf, 'change');
    if (partialName === '' || partialName.includes('.')) {
      throw new PadesError('INVALID_PLAN', 'a field name must not be empty or contain a dot');
    }
    if (this.names.has(partialName)) {
      throw new PadesError('FIELD_EXISTS', undefined, { field: partialName });
    }
    this.names.add(partialName);
    const field = dict({
      Type: new PdfName('Annot'),
      Subtype: new PdfName('Widget'),
      T: textString(partialName),
    });
    for (const [key, value] of entries) field.set(key, value);
    field.set('P', page.ref);
    const ref = this.writer.reserve();
    if (this.requirements.emptyLooks && !field.has('AP')) field.set('AP', dict({ N: this.writer.add(emptyLook(field)) }));
    if (this.structure !== null) await this.describe(this.structure, ref, field, page, language);
    this.writer.set(ref, field);
    this.fields.push(ref);
    const known = this.widgets.get(page.ref.num) ?? { page, refs: [] };
    known.refs.push(ref);
    this.widgets.set(page.ref.num, known);
    return ref;
  }

  /** A field that shows something is in the structure; one that does not stays out of it, and of what the page shows. */
  private async describe(
    structure: StructureEditor,
    ref: PdfRef,
    field: PdfDict,
    page: TargetPage,
    language: string | undefined,
  ): Promise<void> {
    const [x0, y0, x1, y1] = boxOf(field);
    if (x1 > x0 && y1 > y0) field.set('StructParent', await structure.addForm(ref, page.ref, language));
    else if (page.info !== undefined) {
      const [x, y] = page.info.visibleBox;
      field.set('Rect', [x, y, x, y]);
    }
    const said = field.get('TU') ?? field.get('T') ?? null;
    field.set('TU', said);
    if (this.requirements.described) field.set('Contents', said);
  }

  /** Text fields need the form's default font to exist. */
  useDefaultFont(): string {
    this.resources = true;
    return defaultAppearance;
  }

  /**
   * Writes form, catalog and pages into the revision. `looksDrawn`: what NeedAppearances asked of readers is drawn in it, and the
   * flag goes: a reader that regenerates appearances would draw over what the signer saw. `dropXfa`: the form's second description goes
   * too, and the wish to be drawn by it.
   */
  async finish(options: { catalogChanges?: PdfDict; looksDrawn?: boolean; dropXfa?: boolean } = {}): Promise<void> {
    const catalog = await catalogOf(this.pdf);
    const changes: PdfDict = new Map(options.catalogChanges ?? []);
    const gone = [...(options.looksDrawn ? ['NeedAppearances'] : []), ...(options.dropXfa ? ['XFA'] : [])];
    await this.updateForm(changes, gone);
    await this.addExtension(catalog.dict, changes);
    for (const { page, refs } of this.widgets.values()) await this.attach(page, refs);
    await this.structure?.finish();
    const kept = new Map(catalog.dict);
    const isDropped = options.dropXfa === true && kept.delete('NeedsRendering');
    if (changes.size === 0 && !isDropped) return;
    this.writer.set(catalog.ref, new Map([...kept, ...changes]));
  }

  private async updateForm(catalogChanges: PdfDict, gone: readonly string[]): Promise<void> {
    const form = await acroFormOf(this.pdf);
    const current: PdfDict = form?.dict ?? new Map();
    const updated: PdfDict = new Map(current);
    let changed = await this.extendFields(current, updated);
    const flags = await this.pdf.resolve(current.get('SigFlags'));
    // SignaturesExist and AppendOnly (§12.7.3, Table 225).
    const wanted = (typeof flags === 'number' ? flags : 0) | 3;
    if (wanted !== flags) {
      updated.set('SigFlags', wanted);
      changed = true;
    }
    for (const key of gone) if (updated.delete(key)) changed = true;
    if (this.resources && (await this.addDefaultFont(current, updated))) changed = true;
    if (!changed) return;
    if (form?.ref) this.writer.set(form.ref, updated);
    else if (form !== null) catalogChanges.set('AcroForm', updated);
    else catalogChanges.set('AcroForm', this.writer.add(updated));
  }

  private async extendFields(current: PdfDict, updated: PdfDict): Promise<boolean> {
    if (this.fields.length === 0) {
      if (current.has('Fields')) return false;
      updated.set('Fields', []);
      return true;
    }
    const raw = current.get('Fields');
    const existing = (await this.pdf.resolveArray(raw)) ?? [];
    const extended = [...existing, ...this.fields];
    if (raw instanceof PdfRef && Array.isArray(await this.pdf.resolve(raw))) {
      this.writer.set(await this.pdf.refTo(raw.num), extended);
      return false;
    }
    updated.set('Fields', extended);
    return true;
  }

  /** DA and DR/Font/Helv, which text fields refer to (§12.7.4.3). Existing resources are kept. */
  private async addDefaultFont(current: PdfDict, updated: PdfDict): Promise<boolean> {
    const resources = await this.pdf.resolveDict(current.get('DR'));
    const fonts = await this.pdf.resolveDict(resources?.get('Font'));
    if (fonts?.has('Helv') && current.has('DA')) return false;
    if (!current.has('DA')) updated.set('DA', textString(defaultAppearance));
    if (!fonts?.has('Helv')) {
      const helvetica = this.writer.add(
        dict({
          Type: new PdfName('Font'),
          Subtype: new PdfName('Type1'),
          BaseFont: new PdfName('Helvetica'),
          Encoding: new PdfName('WinAnsiEncoding'),
        }),
      );
      const merged: PdfDict = new Map([...(fonts ?? []), ['Helv', helvetica]]);
      updated.set('DR', new Map<string, PdfObject>([...(resources ?? []), ['Font', merged]]));
    }
    return true;
  }

  /** ESIC extension for documents older than PDF 2.0 (EN 319 142-1 §5.6): level 2 covers DSS and DocTimeStamp. */
  private async addExtension(catalog: PdfDict, changes: PdfDict): Promise<void> {
    if ((await pdfVersion(this.pdf)) >= '2.0') return;
    const existing = await this.pdf.resolveDict(catalog.get('Extensions'));
    if (existing?.has('ESIC')) return;
    const esic = dict({ BaseVersion: new PdfName('1.7'), ExtensionLevel: 2 });
    changes.set('Extensions', new Map<string, PdfObject>([...(existing ?? []), ['ESIC', esic]]));
  }

  /**
   * Gives the page its own Annots array with the new widgets: an indirect array may be shared by several pages, and
   * a widget must appear on one.
   */
  private async attach(page: TargetPage, refs: PdfRef[]): Promise<void> {
    const pending = this.writer.pending(page.ref.num);
    const current = isDict(pending) ? pending : page.dict;
    const existing = await this.writer.resolve(current.get('Annots'));
    const annots = Array.isArray(existing) ? [...existing, ...refs] : refs;
    const updated = new Map<string, PdfObject>([...current, ['Annots', annots]]);
    // In the order of the structure (ISO 14289-1 §7.18.3); an order that is there is its author's.
    if (this.structure !== null && !updated.has('Tabs')) updated.set('Tabs', new PdfName('S'));
    this.writer.set(page.ref, updated);
  }
}

/** Shows nothing, in the size of the field's box. */
function emptyLook(field: PdfDict): PdfStream {
  const [x0, y0, x1, y1] = boxOf(field);
  const box = dict({ Type: new PdfName('XObject'), Subtype: new PdfName('Form'), BBox: [0, 0, x1 - x0, y1 - y0], Resources: new Map() });
  return new PdfStream(box, new Uint8Array(0));
}

function boxOf(field: PdfDict): Box {
  const rect = field.get('Rect');
  return normalizedBox((Array.isArray(rect) ? rect : []).map((item) => (typeof item === 'number' ? item : 0)));
}
