import { formatCnpj, type Modality, type Rect } from '@lavra/domain';
import QRCode from 'qrcode';
import { languageTag, type Locale, translatorOf } from '../language/translator.ts';
import { drawFacts, type Fact } from './facts.ts';
import { drawBand, drawLetterhead, type Letterhead } from './letterhead.ts';
import { drawFeet } from './page-feet.ts';
import { PageTags } from './page-tags.ts';
import { palette } from './palette.ts';
import { darkSquares } from './shapes.ts';
import { fittedSize, floorOf, openSheets, type Sentence, sheet, type Sheets, widthOf } from './sheets.ts';

export interface SignaturePageInput {
  processTitle: string;
  documentName: string;
  documentId: string;
  /** SHA-256 of the uploaded bytes, hex. */
  sha256: string;
  /** Of the signed file, hex: the page is a file of its own, made when everybody has signed. */
  signedSha256?: string;
  pageCount: number;
  /** Its pages are wider than high: so are these. */
  isLandscape: boolean;
  verificationUrl: string;
  signers: readonly { name: string; email: string; cnpj: string | null }[];
  /** Of the sender's company; null: the product's alone. */
  letterhead: Letterhead | null;
  modality: Modality;
  locale: Locale;
  localesDir: string;
  /** What the file that they follow asks of them. */
  standard?: PageStandard;
}

export interface PageStandard {
  /** Everything that they say is in their structure: the file has one. */
  readonly tagged: boolean;
  /** ISO 19005-1: which glyphs their fonts have is said. */
  readonly partOne: boolean;
}

/** Where a signer's evidence block stands: 1-based page of these pages, rectangle in that page's user space. */
export interface EvidenceBlock {
  appendedPage: number;
  rect: Rect;
}

const BLOCK_HEIGHT = 112;
const BLOCK_GAP = 10;
const CODE = 96;
/** Between the facts and the code. */
const BESIDE = 20;

/** Pages that follow the document: what it is, how to verify it, and one block per signer that their own revision fills. */
export async function drawSignaturePages(input: SignaturePageInput): Promise<{ pdf: Uint8Array; blocks: EvidenceBlock[] }> {
  const translate = translatorOf(input.localesDir);
  const t: Sentence = (key, values = {}) => translate(input.locale, key, values);
  const lang = languageTag(input.locale);
  const isOwn = input.signedSha256 !== undefined;
  // Pages that become a part of somebody's file are as it asks, and make no claims of their own.
  const pdf = openSheets({
    landscape: input.isLandscape,
    ...(isOwn ? { own: { lang, title: t('page.titleOf', { name: input.documentName }) } } : {}),
    glyphsListed: !isOwn && input.standard?.partOne === true,
  });
  const isTagged = isOwn || input.standard?.tagged === true;
  const tags = new PageTags(pdf, isTagged ? { as: isOwn ? 'Document' : 'Sect', title: t('page.title'), lang } : null);
  let y = drawHead(pdf, tags, input, t);
  let page = 1;
  const blocks: EvidenceBlock[] = [];
  for (const [index, signer] of input.signers.entries()) {
    if (y + BLOCK_HEIGHT > floorOf(pdf)) {
      pdf.addPage();
      page += 1;
      y = drawContinuation(pdf, tags, input, t);
    }
    blocks.push({ appendedPage: page, rect: drawBlock(pdf, tags, y, index, signer, t) });
    y += BLOCK_HEIGHT + BLOCK_GAP;
  }
  // Pages that join a document are counted as its last.
  const before = isOwn ? 0 : input.pageCount;
  drawFeet(pdf, tags, {
    subject: t('page.footDocument', { id: input.documentId }),
    address: t('page.footVerify', { url: input.verificationUrl }),
    page: (n, of) => t('page.footPage', { page: before + n, pages: before + of }),
  });
  tags.end();
  return { pdf: pdf.end(), blocks };
}

function drawHead(pdf: Sheets, tags: PageTags, input: SignaturePageInput, t: Sentence): number {
  const { margin } = sheet;
  const textWidth = widthOf(pdf) - CODE - BESIDE;
  drawLetterhead(pdf, tags, input.letterhead, textWidth);
  tags.say(titleOf(input), () =>
    pdf
      .font('bold')
      .fontSize(20)
      .fillColor(palette.ink)
      .text(t('page.title'), margin, margin + 20, { width: textWidth }),
  );
  pdf.y = Math.max(pdf.y, margin + 44) + 8;
  const facts: Fact[] = [
    { label: t('page.document'), value: input.documentName },
    { label: t('page.process'), value: input.processTitle },
    { label: t('page.identifier'), value: input.documentId, whole: true },
    { label: t('page.hash'), value: input.sha256, whole: true },
    ...(input.signedSha256 === undefined ? [] : [{ label: t('page.signedHash'), value: input.signedSha256, whole: true }]),
  ];
  drawFacts(pdf, tags, facts, { label: 112, width: textWidth });
  const below = drawCode(pdf, tags, input.verificationUrl, t);
  drawExplanation(pdf, tags, input, below, t);
  return pdf.y + 6;
}

/** Pages that join a document get no headings: one without numbers must not get one with them. */
function titleOf({ signedSha256 }: SignaturePageInput): 'P' | 'H1' {
  return signedSha256 === undefined ? 'P' : 'H1';
}

/** The code in the upper right corner and what it is for; answers where both end. */
function drawCode(pdf: Sheets, tags: PageTags, url: string, t: Sentence): number {
  const x = pdf.page.width - sheet.margin - CODE;
  const y = sheet.margin;
  const { y: back } = pdf;
  tags.say('Figure', () => drawModules(pdf, url, { x, y, size: CODE }), {
    alt: t('page.code', { url }),
    bbox: [x, y, x + CODE, y + CODE],
  });
  tags.say('P', () =>
    pdf
      .font('regular')
      .fontSize(7.5)
      .fillColor(palette.muted)
      .text(t('page.codeCaption'), x - 6, y + CODE + 5, { width: CODE + 12, align: 'center' }),
  );
  const end = pdf.y;
  pdf.y = back;
  return end;
}

function drawExplanation(pdf: Sheets, tags: PageTags, input: SignaturePageInput, least: number, t: Sentence): void {
  const width = widthOf(pdf);
  pdf.y = Math.max(pdf.y, least) + 8;
  const say = (text: string, size: number, colour: string, gap = 4, font: 'regular' | 'bold' = 'regular') =>
    tags.say('P', () =>
      pdf
        .font(font)
        .fontSize(size)
        .fillColor(colour)
        .text(text, sheet.margin, pdf.y + gap, { width }),
    );
  say(t('page.verify'), 9, palette.ink, 0);
  // A broken address opens nothing when it is copied.
  say(input.verificationUrl, fittedSize(pdf.font('bold'), input.verificationUrl, width, 9), palette.jade, 1, 'bold');
  if (input.signedSha256 !== undefined) say(t('page.apart'), 9, palette.ink);
  say(t(input.modality === 'digital' ? 'page.legalDigital' : 'page.legal'), 8.5, palette.muted);
  tags.say(input.signedSha256 === undefined ? 'P' : 'H2', () =>
    pdf
      .font('bold')
      .fontSize(12)
      .fillColor(palette.ink)
      .text(t('page.signers'), sheet.margin, pdf.y + 12),
  );
}

/** Dark squares as areas: sharp in any size, and black as gray. */
function drawModules(pdf: Sheets, text: string, at: { x: number; y: number; size: number }): void {
  // As bytes: an address has no runs of digits that were worth a search for them.
  const { modules } = QRCode.create([{ data: Buffer.from(text), mode: 'byte' }], { errorCorrectionLevel: 'M' });
  const squares = darkSquares(modules.size, (row, column) => modules.get(row, column) === 1);
  pdf.drawing(`0 g ${squares}f`, at.x, at.y, at.size / modules.size);
}

function drawContinuation(pdf: Sheets, tags: PageTags, input: SignaturePageInput, t: Sentence): number {
  drawBand(pdf, tags, input.letterhead);
  tags.say(input.signedSha256 === undefined ? 'P' : 'H2', () =>
    pdf.font('bold').fontSize(12).fillColor(palette.ink).text(t('page.continued'), sheet.margin, sheet.margin),
  );
  return pdf.y + 10;
}

/** Frame, number and name are the page's; what the signer's act adds goes into the rectangle that comes back. */
function drawBlock(
  pdf: Sheets,
  tags: PageTags,
  top: number,
  index: number,
  signer: SignaturePageInput['signers'][number],
  t: Sentence,
): Rect {
  const { margin } = sheet;
  const blockWidth = widthOf(pdf);
  tags.adorn(() => pdf.frame(margin, top, blockWidth, BLOCK_HEIGHT, palette.line));
  tags.say('P', () =>
    pdf
      .font('bold')
      .fontSize(9.5)
      .fillColor(palette.ink)
      .text(headingOf(signer, index + 1, t), margin + 10, top + 7, {
        width: blockWidth - 20,
        cut: true,
      }),
  );
  const inner = { x: margin + 6, y: top + 22, width: blockWidth - 12, height: BLOCK_HEIGHT - 28 };
  return { x: inner.x, y: pdf.page.height - inner.y - inner.height, width: inner.width, height: inner.height };
}

function headingOf({ name, cnpj }: SignaturePageInput['signers'][number], number: number, t: Sentence): string {
  return cnpj === null ? t('page.signerHeading', { number, name }) : t('page.signerHeadingFor', { number, name, cnpj: formatCnpj(cnpj) });
}
