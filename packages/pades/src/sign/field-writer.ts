import type { Appearance } from '../appearance/appearance.ts';
import type { AppearanceBuilder } from '../appearance/builder.ts';
import { PadesError } from '../errors.ts';
import type { FormEditor } from '../pdf/form-editor.ts';
import type { FieldInfo } from '../pdf/form.ts';
import { normalizedBox, normalizedRotation } from '../pdf/geometry.ts';
import type { Rect, Rotation } from '../pdf/geometry.ts';
import { PdfRef, dict, isDict, textString } from '../pdf/objects.ts';
import type { PdfDict, PdfObject } from '../pdf/objects.ts';
import { findPage } from '../pdf/pages.ts';
import type { Pdf } from '../pdf/pdf.ts';
import { lockOf } from '../pdf/permissions.ts';
import type { FieldLock } from '../pdf/permissions.ts';
import type { RevisionWriter } from '../pdf/revision-writer.ts';
import type { SignatureFieldPlan } from '../prepare/plan.ts';
import { signatureField } from '../prepare/signature-field.ts';
import type { FieldFill } from './request.ts';

/** A field and the widget that shows it; both are the same object as a rule. */
interface Target {
  ref: PdfRef;
  widget: PdfRef | null;
  lock: FieldLock | null;
}

/** Sets values and appearances of fields that exist, changing nothing else of them. */
export class FieldWriter {
  private readonly pdf: Pdf;
  private readonly writer: RevisionWriter;
  private readonly looks: AppearanceBuilder;
  private readonly fields: readonly FieldInfo[];

  constructor(pdf: Pdf, writer: RevisionWriter, looks: AppearanceBuilder, fields: readonly FieldInfo[]) {
    this.pdf = pdf;
    this.writer = writer;
    this.looks = looks;
    this.fields = fields;
  }

  /** The empty signature field of that name, or a new one. */
  async signatureTarget(field: string | SignatureFieldPlan, form: FormEditor): Promise<Target> {
    if (typeof field !== 'string') return this.create(field, form);
    const info = this.named(field, 'Sig');
    if ((await this.pdf.resolve(info.value)) !== null) {
      throw new PadesError('FIELD_ALREADY_SIGNED', undefined, { field });
    }
    const lock = await lockOf(this.pdf, await this.pdf.resolveDict(info.dict.get('Lock')));
    return { ref: info.ref, widget: info.widget?.ref ?? null, lock };
  }

  private async create(plan: SignatureFieldPlan, form: FormEditor): Promise<Target> {
    if (plan.at !== undefined && 'appendedPage' in plan.at) throw new PadesError('PAGE_NOT_FOUND');
    const page = await findPage(this.pdf, plan.at?.page ?? 1);
    const ref = await form.addField(plan.name, signatureField(plan), page);
    return { ref, widget: ref, lock: plan.lock ?? null };
  }

  private named(name: string, type: string): FieldInfo {
    const info = this.fields.find((field) => field.name === name);
    if (info === undefined) throw new PadesError('FIELD_NOT_FOUND', undefined, { field: name });
    if (info.type !== type) throw new PadesError('FIELD_TYPE_MISMATCH', undefined, { field: name });
    return info;
  }

  async sign(target: Target, value: PdfRef, appearance: Appearance | null): Promise<void> {
    await this.update(target.ref, { V: value });
    if (target.widget !== null) await this.draw(target.widget, appearance);
  }

  async fill(fill: FieldFill): Promise<void> {
    const info = this.named(fill.field, 'Tx');
    await this.update(info.ref, { V: textString(fill.value) });
    if (info.widget !== null) await this.draw(info.widget.ref, fill.appearance);
  }

  private async update(ref: PdfRef, entries: Record<string, PdfObject>): Promise<void> {
    const current = await this.writer.resolve(ref);
    if (!isDict(current)) throw new PadesError('DAMAGED', 'a field is not a dictionary');
    this.writer.set(ref, new Map([...current, ...dict(entries)]));
  }

  /** Gives the widget its normal appearance, in its own rectangle and upright on its page. */
  private async draw(ref: PdfRef, appearance: Appearance | null): Promise<void> {
    const widget = await this.writer.resolve(ref);
    if (!isDict(widget)) return;
    const rect = await this.rectOf(widget);
    if (rect.width === 0 || rect.height === 0) return;
    const look = await this.looks.form(appearance, rect, await this.rotationOf(widget));
    await this.update(ref, { AP: dict({ N: look }) });
  }

  private async rectOf(widget: PdfDict): Promise<Rect> {
    const numbers: number[] = [];
    for (const item of (await this.pdf.resolveArray(widget.get('Rect'))) ?? []) {
      const value = await this.pdf.resolve(item);
      numbers.push(typeof value === 'number' ? value : 0);
    }
    const [x0, y0, x1, y1] = normalizedBox(numbers);
    return { x: x0, y: y0, width: x1 - x0, height: y1 - y0 };
  }

  /** The turn of the widget's page, inherited through the tree. */
  private async rotationOf(widget: PdfDict): Promise<Rotation> {
    let node = await this.writer.resolve(widget.get('P'));
    for (let depth = 0; isDict(node) && depth < 64; depth++) {
      const rotate = await this.pdf.resolve(node.get('Rotate'));
      if (typeof rotate === 'number') return normalizedRotation(rotate);
      node = await this.pdf.resolve(node.get('Parent'));
    }
    return 0;
  }
}
