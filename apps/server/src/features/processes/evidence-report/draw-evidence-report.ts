import { maskCpf } from '@lavra/domain';
import PDFDocument from 'pdfkit';
import type { Ctx } from '../../../context.ts';
import { readBytes } from '../../../storage/blob-store.ts';
import { boldFont, regularFont } from '../../signing/pdf-fonts.ts';
import { listEvidenceOfProcess } from '../../signing/list-evidence.ts';
import { openDocumentFile } from '../../documents/document-file.ts';
import { formatInstant } from '../format-instant.ts';
import { loadProcess } from '../load-process.ts';
import { listProcessEvents } from '../process-lookups.ts';
import { isChainIntact } from '../record-event.ts';

type Doc = InstanceType<typeof PDFDocument>;
type Sentence = (key: string, values?: Record<string, string | number>) => string;

const MARGIN = 48;
const INK = '#16211F';
const MUTED = '#51605D';
const JADE = '#0F5A54';

/** All that is known of a process, for people: documents and hashes, each signer's evidence, the chain of events. Tagged, in the process's language. */
export async function drawEvidenceReport(ctx: Ctx, signatureProcessId: string): Promise<Uint8Array> {
  const loaded = await loadProcess(ctx, signatureProcessId);
  const locale = loaded.row.lang_key;
  const t: Sentence = (key, values = {}) => ctx.translate(locale, key, values);
  const pdf = new PDFDocument({
    size: 'A4',
    margin: MARGIN,
    lang: locale === 'pt-br' ? 'pt-BR' : locale,
    tagged: true,
    displayTitle: true,
    pdfVersion: '1.7',
    info: { Title: t('report.title', { title: loaded.row.title }), Author: 'Lavra' },
  });
  const chunks: Buffer[] = [];
  const ended = new Promise<void>((resolve, reject) =>
    pdf
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', resolve)
      .on('error', reject),
  );
  pdf.registerFont('regular', regularFont).registerFont('bold', boldFont);
  pdf.font('bold').fontSize(10).fillColor(JADE).text('Lavra');
  pdf
    .fontSize(20)
    .fillColor(INK)
    .text(t('report.title', { title: loaded.row.title }));
  row(pdf, t('report.process'), loaded.row.id);
  row(pdf, t('report.created'), formatInstant(loaded.row.created_at, true));
  row(pdf, t('report.finished'), formatInstant(ctx.clock.now(), true));
  row(pdf, t('report.level'), t('report.levelElectronic'));
  await drawDocuments(ctx, pdf, loaded.documents, t);
  await drawSigners(ctx, pdf, signatureProcessId, t);
  await drawEvents(ctx, pdf, signatureProcessId, t);
  pdf.end();
  await ended;
  return new Uint8Array(Buffer.concat(chunks));
}

function heading(pdf: Doc, text: string): void {
  pdf.moveDown(1).font('bold').fontSize(13).fillColor(INK).text(text).moveDown(0.3);
}

function row(pdf: Doc, label: string, value: string): void {
  pdf.font('bold').fontSize(8.5).fillColor(MUTED).text(label);
  pdf.font('regular').fontSize(10).fillColor(INK).text(value).moveDown(0.2);
}

async function drawDocuments(
  ctx: Ctx,
  pdf: Doc,
  documents: readonly { id: string; name: string; hash: string; page_count: number }[],
  t: Sentence,
): Promise<void> {
  heading(pdf, t('report.documents'));
  for (const document of documents) {
    const file = await openDocumentFile(ctx, document.id);
    row(pdf, document.name, t('report.documentFacts', { id: document.id, pages: document.page_count }));
    row(pdf, t('report.originalHash'), document.hash);
    row(pdf, t('report.signedHash'), file.parts.at(-1)?.fileHash ?? '-');
  }
}

async function drawSigners(ctx: Ctx, pdf: Doc, signatureProcessId: string, t: Sentence): Promise<void> {
  heading(pdf, t('report.signers'));
  for (const { signer, evidence } of await listEvidenceOfProcess(ctx, signatureProcessId)) {
    if (pdf.y > 640) pdf.addPage();
    const place =
      evidence.latitude === null
        ? t('evidence.placeNotGiven')
        : t('evidence.place', {
            latitude: evidence.latitude.toFixed(5),
            longitude: (evidence.longitude ?? 0).toFixed(5),
            accuracy: Math.round(evidence.accuracy ?? 0),
          });
    pdf
      .font('bold')
      .fontSize(11)
      .fillColor(INK)
      .text(`${signer.order + 1}. ${evidence.name}`);
    pdf.image(await readBytes(ctx.storage, evidence.image_hash), { fit: [150, 50] }).moveDown(0.2);
    row(pdf, t('report.identity'), `CPF ${maskCpf(evidence.cpf)} · ${signer.email}`);
    row(pdf, t('report.signedAt'), signer.finalized_at ? formatInstant(signer.finalized_at, true) : '-');
    row(pdf, t('report.origin'), `IP ${evidence.ip} · ${evidence.user_agent}`);
    row(pdf, t('report.place'), place);
    row(pdf, t('report.consent'), `“${evidence.consent_text}” (SHA-256 ${evidence.consent_hash})`);
    row(pdf, t('report.certificate'), evidence.certificate_fingerprint ?? '-');
  }
}

async function drawEvents(ctx: Ctx, pdf: Doc, signatureProcessId: string, t: Sentence): Promise<void> {
  const events = await listProcessEvents(ctx, signatureProcessId);
  heading(pdf, t('report.events'));
  pdf
    .font('regular')
    .fontSize(9)
    .fillColor(MUTED)
    .text(t(isChainIntact(events) ? 'report.chainIntact' : 'report.chainBroken'))
    .moveDown(0.3);
  for (const event of events) {
    const name = typeof event.data['name'] === 'string' ? event.data['name'] : '';
    pdf
      .font('regular')
      .fontSize(9.5)
      .fillColor(INK)
      .text(`${formatInstant(event.at, true)}  ${t(`event.${event.type}`, { name })}`);
    pdf.fontSize(7).fillColor(MUTED).text(event.hash).moveDown(0.25);
  }
}
