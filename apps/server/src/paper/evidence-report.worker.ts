import { formatCnpj, markInvisible, maskCpf, type Modality } from '@lavra/domain';
import { languageTag, type Locale, translatorOf } from '../language/translator.ts';
import { type BlobStore, readBytes } from '../storage/blob-store.ts';
import { openStorage, type StorageSettings } from '../storage/open-storage.ts';
import { drawLetterhead, type Letterhead } from './letterhead.ts';
import { PageTags } from './page-tags.ts';
import { palette } from './palette.ts';
import { type Doc, openSheets, sheet, type Sentence } from './sheets.ts';
import { eventSentence, type ToldEvent } from '../language/event-sentence.ts';
import { formatInstant } from '../language/format-instant.ts';
import { plainPicture } from './plain-picture.ts';

/** Of what people wrote. */
const SET_IN = 14;

export interface ReportedSigner {
  order: number;
  name: string;
  /** The invitation's, where it is another. */
  invitedName: string | null;
  cpf: string;
  /** The provider whose word it is that the CPF is the signer's own; null: the signer says so. */
  cpfConfirmed: { by: string; assurance: string | null; at: Date } | null;
  /** Of the company that they were registered to represent. */
  cnpj: string | null;
  email: string;
  signedAt: Date | null;
  ip: string;
  /** The link came through the sender, and its holder gave a code that was mailed to the signer. */
  isLinkConfirmed: boolean;
  userAgent: string;
  place: { latitude: number; longitude: number; accuracy: number } | null;
  consentText: string;
  consentHash: string;
  certificateFingerprint: string | null;
  imageHash: string | null;
}

/** All that is known of a process, as plain data. */
export interface EvidenceReport {
  processId: string;
  title: string;
  modality: Modality;
  /** The sender's company. */
  letterhead: Letterhead | null;
  createdAt: Date;
  finishedAt: Date;
  documents: readonly {
    id: string;
    name: string;
    pageCount: number;
    originalHash: string;
    /** Of the file with a password that it was opened from, or null. */
    openedFrom: string | null;
    signedHash: string | null;
    /** Of the signature page that is a file of its own; null: the document has it. */
    pageHash: string | null;
  }[];
  signers: readonly ReportedSigner[];
  events: readonly (ToldEvent & { at: Date; hash: string })[];
  isChainIntact: boolean;
  locale: Locale;
  localesDir: string;
  storage: StorageSettings;
}

/** The report for people: documents and hashes, each signer's evidence, the chain of events. Tagged, in the process's language. */
export async function drawEvidenceReport(report: EvidenceReport): Promise<Uint8Array> {
  const translate = translatorOf(report.localesDir);
  const t: Sentence = (key, values = {}) => translate(report.locale, key, values);
  const { pdf, finish } = openSheets({
    lang: languageTag(report.locale),
    tagged: true,
    displayTitle: true,
    pdfVersion: '1.7',
    info: { Title: t('report.title', { title: markInvisible(report.title) }), Author: 'Lavra' },
  });
  drawLetterhead(pdf, new PageTags(pdf, null), report.letterhead, sheet.width - 2 * sheet.margin);
  pdf.font('bold').fontSize(20).fillColor(palette.ink).text(t('report.heading'));
  if (report.letterhead) quote(pdf, t('report.company'), companyText(report.letterhead));
  quote(pdf, t('report.processTitle'), report.title);
  row(pdf, t('report.process'), report.processId);
  row(pdf, t('report.created'), formatInstant(report.createdAt, true));
  row(pdf, t('report.finished'), formatInstant(report.finishedAt, true));
  row(pdf, t('report.level'), t(report.modality === 'digital' ? 'report.levelDigital' : 'report.levelElectronic'));
  drawDocuments(pdf, report.documents, t);
  await drawSigners(pdf, report, await openStorage(report.storage), t);
  drawEvents(pdf, report, t);
  return finish();
}

function heading(pdf: Doc, text: string): void {
  pdf.moveDown(1).font('bold').fontSize(13).fillColor(palette.ink).text(text).moveDown(0.3);
}

function row(pdf: Doc, label: string, value: string): void {
  pdf.font('bold').fontSize(8.5).fillColor(palette.muted).text(label);
  pdf.font('regular').fontSize(10).fillColor(palette.ink).text(value).moveDown(0.2);
}

/**
 * What a person wrote: in quotation marks and set in from our labels and values. However it reads and wherever it breaks, it
 * cannot be taken for one of our lines.
 */
function quote(pdf: Doc, label: string, text: string): void {
  if (label !== '') pdf.font('bold').fontSize(8.5).fillColor(palette.muted).text(label);
  pdf
    .font('regular')
    .fontSize(10)
    .fillColor(palette.ink)
    .text(quoted(text), sheet.margin + SET_IN)
    .moveDown(0.2);
  pdf.x = sheet.margin;
}

/** As it calls itself. */
function companyText({ name, cnpj }: Letterhead): string {
  return cnpj === null ? name : `${name}, CNPJ ${formatCnpj(cnpj)}`;
}

function quoted(text: string): string {
  return `“${markInvisible(text)}”`;
}

function drawDocuments(pdf: Doc, documents: EvidenceReport['documents'], t: Sentence): void {
  heading(pdf, t('report.documents'));
  for (const document of documents) {
    quote(pdf, t('report.fileName'), document.name);
    row(pdf, t('report.documentId'), t('report.documentFacts', { id: document.id, pages: document.pageCount }));
    row(pdf, t('report.originalHash'), document.originalHash);
    if (document.openedFrom !== null) row(pdf, t('report.openedFrom'), document.openedFrom);
    row(pdf, t('report.signedHash'), document.signedHash ?? '-');
    if (document.pageHash !== null) row(pdf, t('report.pageHash'), document.pageHash);
  }
}

async function drawSigners(pdf: Doc, { signers, modality }: EvidenceReport, storage: BlobStore, t: Sentence): Promise<void> {
  heading(pdf, t('report.signers'));
  for (const [index, signer] of signers.entries()) {
    if (pdf.y > 640) pdf.addPage();
    else if (index > 0) pdf.moveDown(0.8);
    const { place } = signer;
    pdf
      .font('bold')
      .fontSize(11)
      .fillColor(palette.ink)
      .text(`${signer.order + 1}. ${quoted(signer.name)}`);
    const picture = signer.imageHash === null ? null : plainPicture(await readBytes(storage, signer.imageHash));
    if (picture) pdf.image(picture, { fit: [150, 50] }).moveDown(0.2);
    if (signer.invitedName !== null) quote(pdf, t('report.invitedName'), signer.invitedName);
    row(pdf, t('report.identity'), `CPF ${maskCpf(signer.cpf)} · ${signer.email}`);
    if (signer.cpfConfirmed) quote(pdf, t('report.cpfConfirmed'), confirmedText(signer.cpfConfirmed, t));
    if (signer.cnpj !== null) row(pdf, t('report.represents'), `CNPJ ${formatCnpj(signer.cnpj)}`);
    row(pdf, t('report.signedAt'), signer.signedAt ? formatInstant(signer.signedAt, true) : '-');
    row(pdf, t('report.origin'), `${t(signer.isLinkConfirmed ? 'report.linkConfirmed' : 'report.linkMailed')} · IP ${signer.ip}`);
    quote(pdf, t('report.program'), signer.userAgent);
    if (modality === 'electronic') row(pdf, t('report.place'), placeText(place, t));
    quote(pdf, t('report.consent'), signer.consentText);
    row(pdf, t('report.consentHash'), signer.consentHash);
    row(pdf, t(modality === 'digital' ? 'report.ownCertificate' : 'report.certificate'), signer.certificateFingerprint ?? '-');
  }
}

/** gov.br's seals of an account; what another provider says stands as it said it. */
function confirmedText({ by, assurance, at }: NonNullable<ReportedSigner['cpfConfirmed']>, t: Sentence): string {
  const confirmed = t('report.cpfConfirmedBy', { provider: by, at: formatInstant(at, true) });
  if (assurance === null) return confirmed;
  const isSeal = ['bronze', 'silver', 'gold'].includes(assurance);
  return `${confirmed} · ${isSeal ? t(`report.assurance.${assurance}`) : assurance}`;
}

function placeText(place: ReportedSigner['place'], t: Sentence): string {
  if (!place) return t('report.placeNotGiven');
  const { latitude, longitude, accuracy } = place;
  return t('report.placeFacts', { latitude: latitude.toFixed(5), longitude: longitude.toFixed(5), accuracy: Math.round(accuracy) });
}

function drawEvents(pdf: Doc, report: EvidenceReport, t: Sentence): void {
  heading(pdf, t('report.events'));
  pdf
    .font('regular')
    .fontSize(9)
    .fillColor(palette.muted)
    .text(t(report.isChainIntact ? 'report.chainIntact' : 'report.chainBroken'))
    .moveDown(0.3);
  for (const event of report.events) {
    const sentence = eventSentence(translatorOf(report.localesDir), report.locale, event, quoted);
    pdf
      .font('regular')
      .fontSize(9.5)
      .fillColor(palette.ink)
      .text(`${formatInstant(event.at, true)}  ${sentence}`, sheet.margin + SET_IN, undefined, { indent: -SET_IN });
    pdf.x = sheet.margin;
    pdf.fontSize(7).fillColor(palette.muted).text(event.hash).moveDown(0.25);
  }
}
