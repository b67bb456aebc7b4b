import { browserOf, formatCnpj, markInvisible, maskCpf, type Modality, systemOf } from '@lavra/domain';
import { languageTag, type Locale, translatorOf } from '../language/translator.ts';
import { type BlobStore, readBytes } from '../storage/blob-store.ts';
import { openStorage, type StorageSettings } from '../storage/open-storage.ts';
import { drawFacts, type Fact } from './facts.ts';
import { drawLetterhead, type Letterhead } from './letterhead.ts';
import { drawFeet } from './page-feet.ts';
import { PageTags } from './page-tags.ts';
import { palette } from './palette.ts';
import { floorOf, openSheets, type Sentence, sheet, type Sheets, widthOf } from './sheets.ts';
import { eventSentence, type ToldEvent } from '../language/event-sentence.ts';
import { formatInstant } from '../language/format-instant.ts';
import { placeInWords } from './place-in-words.ts';
import { plainPicture } from './plain-picture.ts';

/** Of the labels on the left, and of the times beside what happened. */
const LABELS = 128;
const TIMES = 92;
const PICTURE = { width: 150, height: 48 } as const;

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
  /** Both null: the act came without a word of the consent. */
  consentText: string | null;
  consentHash: string | null;
  certificateFingerprint: string | null;
  /** ICP-Brasil's type of a signer's own certificate (A1, A3 …). */
  certificateType: string | null;
  imageHash: string | null;
}

/** All that is known of a process, as plain data. */
export interface EvidenceReport {
  processId: string;
  title: string;
  modality: Modality;
  /** Where its documents are verified. */
  verificationUrl: string;
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

/** What everything is drawn with. */
interface Desk {
  pdf: Sheets;
  tags: PageTags;
  t: Sentence;
}

/** The report for people: documents and hashes, each signer's evidence, the chain of events. Tagged, in the process's language, PDF/A-2a. */
export async function drawEvidenceReport(report: EvidenceReport): Promise<Uint8Array> {
  const translate = translatorOf(report.localesDir);
  const t: Sentence = (key, values = {}) => translate(report.locale, key, values);
  const lang = languageTag(report.locale);
  const title = t('report.title', { title: markInvisible(report.title) });
  const pdf = openSheets({ own: { lang, title } });
  const tags = new PageTags(pdf, { as: 'Document', title: t('report.heading'), lang });
  const desk = { pdf, tags, t };
  drawHead(desk, report);
  drawDocuments(desk, report.documents);
  await drawSigners(desk, report, await openStorage(report.storage));
  drawEvents(desk, report);
  drawFeet(pdf, tags, {
    subject: t('page.footProcess', { id: report.processId }),
    address: t('page.footVerify', { url: report.verificationUrl }),
    page: (n, of) => t('page.footPage', { page: n, pages: of }),
  });
  tags.end();
  return pdf.end();
}

function drawHead(desk: Desk, report: EvidenceReport): void {
  const { pdf, tags, t } = desk;
  drawLetterhead(pdf, tags, report.letterhead, widthOf(pdf));
  tags.say('H1', () =>
    pdf
      .font('bold')
      .fontSize(20)
      .fillColor(palette.ink)
      .text(t('report.heading'), sheet.margin, sheet.margin + 20),
  );
  pdf.moveDown(0.4);
  drawOwnFacts(desk, [
    ...(report.letterhead ? [quote(t('report.company'), companyText(report.letterhead))] : []),
    quote(t('report.processTitle'), report.title),
    { label: t('report.process'), value: report.processId, whole: true },
    { label: t('report.created'), value: formatInstant(report.createdAt, true) },
    { label: t('report.finished'), value: formatInstant(report.finishedAt, true) },
    { label: t('report.level'), value: t(report.modality === 'digital' ? 'report.levelDigital' : 'report.levelElectronic') },
  ]);
}

/** `together`: so many of the last stay on one page. */
function drawOwnFacts({ pdf, tags }: Desk, facts: readonly Fact[], together = 1): void {
  drawFacts(pdf, tags, facts, { label: LABELS, width: widthOf(pdf), together });
}

/** `room`: what must still stand on the page below it, or it begins the next one. */
function heading({ pdf, tags }: Desk, text: string, room = 60): void {
  if (pdf.y + 30 + room > floorOf(pdf)) pdf.addPage();
  else pdf.moveDown(0.9);
  tags.say('H2', () => pdf.font('bold').fontSize(13).fillColor(palette.ink).text(text, sheet.margin, pdf.y));
  pdf.moveDown(0.35);
}

/**
 * What a person wrote: in quotation marks and set in from our labels and values. However it reads and wherever it breaks, it
 * cannot be taken for one of our lines.
 */
function quote(label: string, text: string): Fact {
  return { label, value: quoted(text), quoted: true };
}

/** As it calls itself. */
function companyText({ name, cnpj }: Letterhead): string {
  return cnpj === null ? name : `${name}, CNPJ ${formatCnpj(cnpj)}`;
}

function quoted(text: string): string {
  return `“${markInvisible(text)}”`;
}

function drawDocuments(desk: Desk, documents: EvidenceReport['documents']): void {
  const { pdf, t } = desk;
  heading(desk, t('report.documents'), 90);
  for (const [index, document] of documents.entries()) {
    if (index > 0) pdf.moveDown(0.6);
    const facts: Fact[] = [
      quote(t('report.fileName'), document.name),
      { label: t('report.documentId'), value: t('report.documentFacts', { id: document.id, pages: document.pageCount }), whole: true },
      { label: t('report.originalHash'), value: document.originalHash, whole: true },
      ...(document.openedFrom === null ? [] : [{ label: t('report.openedFrom'), value: document.openedFrom, whole: true }]),
      { label: t('report.signedHash'), value: document.signedHash ?? '-', whole: true },
      ...(document.pageHash === null ? [] : [{ label: t('report.pageHash'), value: document.pageHash, whole: true }]),
    ];
    drawOwnFacts(desk, facts, facts.length);
  }
}

async function drawSigners(desk: Desk, { signers, modality }: EvidenceReport, storage: BlobStore): Promise<void> {
  const { pdf, tags, t } = desk;
  heading(desk, t('report.signers'), 200);
  for (const [index, signer] of signers.entries()) {
    if (pdf.y + 180 > floorOf(pdf)) pdf.addPage();
    else if (index > 0) drawRule(desk);
    tags.say('H3', () =>
      pdf
        .font('bold')
        .fontSize(11)
        .fillColor(palette.ink)
        .text(`${signer.order + 1}. ${quoted(signer.name)}`, sheet.margin, pdf.y),
    );
    pdf.moveDown(0.3);
    const picture = signer.imageHash === null ? null : plainPicture(await readBytes(storage, signer.imageHash));
    if (picture) drawPicture(desk, picture);
    // What was agreed to and the certificate: no hash stands alone on the next page.
    drawOwnFacts(desk, signerFacts(signer, modality, t), 3);
  }
}

function drawRule({ pdf, tags }: Desk): void {
  const y = pdf.y + 7;
  tags.adorn(() => pdf.rule(sheet.margin, y, pdf.page.width - sheet.margin, palette.line));
  pdf.y = y + 8;
}

/** The signature as it was given, where values stand. */
function drawPicture({ pdf, tags, t }: Desk, picture: Buffer): void {
  const { y } = pdf;
  const left = sheet.margin + LABELS + 10;
  tags.say('P', () =>
    pdf
      .font('bold')
      .fontSize(8.5)
      .fillColor(palette.muted)
      .text(t('report.picture'), sheet.margin, y + 1, { width: LABELS }),
  );
  tags.say('Figure', () => pdf.image(picture, left, y, PICTURE), {
    alt: t('report.picture'),
    bbox: [left, y, left + PICTURE.width, y + PICTURE.height],
  });
  pdf.y = y + PICTURE.height + 6;
  pdf.x = sheet.margin;
}

function signerFacts(signer: ReportedSigner, modality: Modality, t: Sentence): Fact[] {
  const { place } = signer;
  const isDigital = modality === 'digital';
  return [
    ...(signer.invitedName === null ? [] : [quote(t('report.invitedName'), signer.invitedName)]),
    { label: t('report.identity'), value: `CPF ${maskCpf(signer.cpf)} · ${signer.email}` },
    ...(signer.cpfConfirmed ? [quote(t('report.cpfConfirmed'), confirmedText(signer.cpfConfirmed, t))] : []),
    ...(signer.cnpj === null ? [] : [{ label: t('report.represents'), value: `CNPJ ${formatCnpj(signer.cnpj)}` }]),
    { label: t('report.signedAt'), value: signer.signedAt ? formatInstant(signer.signedAt, true) : '-' },
    {
      label: t('report.kind'),
      value: isDigital
        ? t(signer.certificateType === null ? 'report.kindQualified' : 'report.kindQualifiedOf', { type: signer.certificateType ?? '' })
        : t('report.kindAdvanced'),
    },
    { label: t('report.origin'), value: `${t(signer.isLinkConfirmed ? 'report.linkConfirmed' : 'report.linkMailed')} · IP ${signer.ip}` },
    ...programFacts(signer.userAgent, t),
    ...(isDigital ? [] : [{ label: t('report.place'), value: placeText(place, t) }]),
    signer.consentText === null
      ? { label: t('report.consent'), value: t('report.consentMissing') }
      : quote(t('report.consent'), signer.consentText),
    ...(signer.consentHash === null ? [] : [{ label: t('report.consentHash'), value: signer.consentHash, whole: true }]),
    { label: t(isDigital ? 'report.ownCertificate' : 'report.certificate'), value: signer.certificateFingerprint ?? '-', whole: true },
  ];
}

/** What people call it, where it is known, and below it all that it says itself. */
function programFacts(userAgent: string, t: Sentence): Fact[] {
  const [browser, system] = [browserOf(userAgent), systemOf(userAgent)];
  const said = quote(t('report.program'), userAgent);
  if (browser === null) return [said];
  const name = system === null ? browser : t('report.programOn', { browser, system });
  return [{ ...said, value: name, note: said.value }];
}

/** gov.br's seals of an account; what another provider says stands as it said it. */
function confirmedText({ by, assurance, at }: NonNullable<ReportedSigner['cpfConfirmed']>, t: Sentence): string {
  const confirmed = t('report.cpfConfirmedBy', { provider: by, at: formatInstant(at, true) });
  if (assurance === null) return confirmed;
  const isSeal = ['bronze', 'silver', 'gold'].includes(assurance);
  return `${confirmed} · ${isSeal ? t(`report.assurance.${assurance}`) : assurance}`;
}

function placeText(place: ReportedSigner['place'], t: Sentence): string {
  return place ? t('report.placeFacts', placeInWords(place, t)) : t('report.placeNotGiven');
}

function drawEvents(desk: Desk, report: EvidenceReport): void {
  const { pdf, tags, t } = desk;
  heading(desk, t('report.events'));
  tags.say('P', () =>
    pdf
      .font('regular')
      .fontSize(9)
      .fillColor(palette.muted)
      .text(t(report.isChainIntact ? 'report.chainIntact' : 'report.chainBroken'), sheet.margin, pdf.y, { width: widthOf(pdf) }),
  );
  pdf.moveDown(0.4);
  const events = report.events.map((event): Fact => {
    const value = eventSentence(translatorOf(report.localesDir), report.locale, event, quoted);
    return { label: formatInstant(event.at, true), value, note: event.hash, quoted: true };
  });
  drawFacts(pdf, tags, events, { label: TIMES, width: widthOf(pdf) });
}
