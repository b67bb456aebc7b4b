import { AppearanceBuilder } from '../appearance/builder.ts';
import { writeFormLooks } from '../appearance/form/form-looks.ts';
import { platformCrypto } from '../crypto.ts';
import type { Crypto } from '../crypto.ts';
import { PadesError } from '../errors.ts';
import { FormEditor } from '../pdf/form-editor.ts';
import { rectToBox } from '../pdf/geometry.ts';
import type { Rotation } from '../pdf/geometry.ts';
import { appendPages } from '../pdf/import-pages.ts';
import type { AppendedPage } from '../pdf/import-pages.ts';
import { inspectPdf } from '../inspect/inspect-pdf.ts';
import type { PdfInspection } from '../inspect/inspect-pdf.ts';
import { listOpenFields } from '../pdf/open-fields.ts';
import { PdfName, PdfString, dict, isDict, latin1Bytes, textString } from '../pdf/objects.ts';
import type { PdfDict, PdfObject, PdfRef } from '../pdf/objects.ts';
import { findPage } from '../pdf/pages.ts';
import type { PageInfo } from '../pdf/pages.ts';
import type { Pdf } from '../pdf/pdf.ts';
import { requirementsOf } from '../pdf/requirements.ts';
import { RevisionWriter } from '../pdf/revision-writer.ts';
import type { Revision } from '../source.ts';
import type { FieldLock } from '../pdf/permissions.ts';
import { freeNumber } from './free-number.ts';
import type { FieldPosition, PreparationPlan, SignatureFieldPlan, TextFieldPlan } from './plan.ts';
import { nowhere, signatureField, widgetFlags } from './signature-field.ts';

/** ReadOnly and Multiline (§12.7.4, §12.7.5.3). */
const textFieldFlags = 1 | (1 << 12);

interface TargetPage {
  ref: PdfRef;
  dict: PdfDict;
  rotate: Rotation;
  info: PageInfo;
}

/**
 * Writes the one revision of preparation: appended pages, empty signature fields, read-only text fields.
 * Throws the file's `refusal` code, CHANGE_NOT_PERMITTED when a signature that is there forbids part of the plan,
 * PAGE_NOT_FOUND, FIELD_EXISTS, INVALID_PLAN, and the appearance codes.
 */
export async function preparePdf(pdf: Pdf, plan: PreparationPlan, options: { crypto?: Crypto } = {}): Promise<Revision> {
  assertPermitted(await inspectPdf(pdf, { maxPages: 1 }), plan);
  const writer = new RevisionWriter(pdf, await freeNumber(pdf));
  const form = await FormEditor.open(pdf, writer);
  const appended = plan.appendPages ? await appendPages(pdf, writer, plan.appendPages, form.structure) : [];
  const pages = new PageFinder(pdf, appended);
  const looks = new AppearanceBuilder(writer, await requirementsOf(pdf));
  for (const field of plan.signatureFields ?? []) {
    const page = await pages.at(field.at ?? { page: 1, rect: nowhere });
    await form.addField(field.name, signatureField({ ...field, ...ownedBy(field, plan.textFields ?? []) }), page, plan.language);
  }
  for (const field of plan.textFields ?? []) {
    const page = await pages.at(field.at);
    await form.addField(field.name, await textField(field, page.rotate, looks, form), page, plan.language);
  }
  await looks.finish();
  const looksDrawn = await writeFormLooks(pdf, writer);
  if (plan.closeFields === true) await closeFields(pdf, writer);
  await form.finish({ looksDrawn, dropXfa: plan.dropXfa === true });
  const crypto = options.crypto ?? platformCrypto;
  return (await writer.finish((length) => crypto.random(length))).revision;
}

/** The lock of a signer's field over the boxes that are theirs, beside what it locks anyway. */
function ownedBy({ name, lock }: SignatureFieldPlan, texts: readonly TextFieldPlan[]): { lock?: FieldLock } {
  const own = texts.filter(({ signer }) => signer === name).map((field) => field.name);
  if (own.length === 0 || (lock !== undefined && lock.action !== 'Include')) return {};
  return { lock: { action: 'Include', fields: [...(lock?.fields ?? []), ...own], level: lock?.level ?? null } };
}

/** Read-only, whatever somebody prepared to be written over what is signed (§12.7.4.1). */
async function closeFields(pdf: Pdf, writer: RevisionWriter): Promise<void> {
  for (const { ref } of await listOpenFields(pdf)) {
    const current = writer.pending(ref.num) ?? (await pdf.object(ref.num));
    const flags = isDict(current) ? await pdf.resolve(current.get('Ff')) : null;
    if (isDict(current)) writer.set(ref, new Map<string, PdfObject>([...current, ['Ff', (typeof flags === 'number' ? flags : 0) | 1]]));
  }
}

function assertPermitted(inspection: PdfInspection, plan: PreparationPlan): void {
  if (inspection.refusal !== null) throw new PadesError(inspection.refusal);
  const { permits } = inspection;
  if (inspection.owner?.change === false) throw new PadesError('OWNER_FORBIDS', undefined, { bits: inspection.owner.missing.join(',') });
  const wantsText = (plan.textFields ?? []).length > 0;
  // What was signed with its XFA keeps it.
  if (plan.dropXfa === true && !permits.textFields) throw new PadesError('CHANGE_NOT_PERMITTED', 'the form was signed with its XFA');
  const wantsVisible = (plan.signatureFields ?? []).some((field) => field.at !== undefined);
  if ((plan.appendPages && !permits.pages) || (wantsText && !permits.textFields) || (wantsVisible && !permits.visibleSignatureFields)) {
    throw new PadesError('CHANGE_NOT_PERMITTED', "the document's signatures forbid this plan");
  }
}

class PageFinder {
  private readonly pdf: Pdf;
  private readonly appended: AppendedPage[];
  private readonly found = new Map<number, TargetPage>();

  constructor(pdf: Pdf, appended: AppendedPage[]) {
    this.pdf = pdf;
    this.appended = appended;
  }

  async at(position: FieldPosition): Promise<TargetPage> {
    if ('appendedPage' in position) {
      const page = this.appended[position.appendedPage - 1];
      if (page === undefined) throw new PadesError('PAGE_NOT_FOUND', 'no such appended page');
      return page;
    }
    const known = this.found.get(position.page);
    if (known !== undefined) return known;
    const { ref, dict: entries, info } = await findPage(this.pdf, position.page);
    const page = { ref, dict: entries, rotate: info.rotate, info };
    this.found.set(position.page, page);
    return page;
  }
}

async function textField(field: TextFieldPlan, rotate: Rotation, looks: AppearanceBuilder, form: FormEditor): Promise<PdfDict> {
  const { rect } = field.at;
  const look = await looks.form(field.appearance ?? null, rect, rotate);
  return dict({
    FT: new PdfName('Tx'),
    F: widgetFlags,
    Ff: textFieldFlags,
    Rect: [...rectToBox(rect)],
    DA: new PdfString(latin1Bytes(form.useDefaultFont())),
    V: textString(field.value ?? ''),
    ...(field.tooltip ? { TU: textString(field.tooltip) } : {}),
    AP: dict({ N: look as PdfObject }),
  });
}
