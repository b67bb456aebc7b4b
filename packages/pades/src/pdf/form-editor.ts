import { PadesError } from '../errors.ts';
import { acroFormOf, listFields } from './form.ts';
import { PdfName, PdfRef, dict, isDict, textString } from './objects.ts';
import type { PdfDict, PdfObject } from './objects.ts';
import { pdfVersion } from './inspect.ts';
import { catalogOf } from './pages.ts';
import type { Pdf } from './pdf.ts';
import { assertOwnerPermits } from './security/owner-permits.ts';
import type { RevisionWriter } from './revision-writer.ts';

const defaultAppearance = '/Helv 0 Tf 0 g';

/** Adds fields to a document's form and widgets to its pages, touching as few objects as can be. */
export class FormEditor {
  private readonly pdf: Pdf;
  private readonly writer: RevisionWriter;
  private readonly names: Set<string>;
  private readonly fields: PdfRef[] = [];
  private readonly widgets = new Map<number, { page: { ref: PdfRef; dict: PdfDict }; refs: PdfRef[] }>();
  private resources = false;

  private constructor(pdf: Pdf, writer: RevisionWriter, names: Set<string>) {
    this.pdf = pdf;
    this.writer = writer;
    this.names = names;
  }

  static async open(pdf: Pdf, writer: RevisionWriter): Promise<FormEditor> {
    const fields = await listFields(pdf);
    // A terminal field "a.b" also occupies the root name "a".
    const names = fields.flatMap(({ name }) => [name, name.split('.')[0] ?? name]);
    return new FormEditor(pdf, writer, new Set(names));
  }

  /** Adds a field merged with its one widget. `page`: the page as it is now, or as this revision creates it. */
  addField(partialName: string, entries: PdfDict, page: { ref: PdfRef; dict: PdfDict }): PdfRef {
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
    const ref = this.writer.add(field);
    this.fields.push(ref);
    const known = this.widgets.get(page.ref.num) ?? { page, refs: [] };
    known.refs.push(ref);
    this.widgets.set(page.ref.num, known);
    return ref;
  }

  /** Text fields need the form's default font to exist. */
  useDefaultFont(): string {
    this.resources = true;
    return defaultAppearance;
  }

  /**
   * Writes form, catalog and pages into the revision. `looksDrawn`: what NeedAppearances asked of readers is drawn in it, and the
   * flag goes: a reader that regenerates appearances would draw over what the signer saw.
   */
  async finish(options: { catalogChanges?: PdfDict; looksDrawn?: boolean } = {}): Promise<void> {
    const catalog = await catalogOf(this.pdf);
    const changes: PdfDict = new Map(options.catalogChanges ?? []);
    await this.updateForm(changes, options.looksDrawn ?? false);
    await this.addExtension(catalog.dict, changes);
    for (const { page, refs } of this.widgets.values()) await this.attach(page, refs);
    if (changes.size === 0) return;
    this.writer.set(catalog.ref, new Map([...catalog.dict, ...changes]));
  }

  private async updateForm(catalogChanges: PdfDict, looksDrawn: boolean): Promise<void> {
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
    if (looksDrawn && updated.delete('NeedAppearances')) changed = true;
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
  private async attach(page: { ref: PdfRef; dict: PdfDict }, refs: PdfRef[]): Promise<void> {
    const pending = this.writer.pending(page.ref.num);
    const current = isDict(pending) ? pending : page.dict;
    const existing = await this.writer.resolve(current.get('Annots'));
    const annots = Array.isArray(existing) ? [...existing, ...refs] : refs;
    this.writer.set(page.ref, new Map<string, PdfObject>([...current, ['Annots', annots]]));
  }
}
