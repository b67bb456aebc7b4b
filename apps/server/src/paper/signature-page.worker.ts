import { formatCnpj, type Modality, type Rect } from '@lavra/domain';
import QRCode from 'qrcode';
import { languageTag, type Locale, translatorOf } from '../language/translator.ts';
import { drawBand, drawLetterhead, type Letterhead } from './letterhead.ts';
import { PageTags } from './page-tags.ts';
import { palette } from './palette.ts';
import { type Doc, openSheets, type Sentence, sheet } from './sheets.ts';

export interface SignaturePageInput {
  processTitle: string;
  documentName: string;
  documentId: string;
  /** SHA-256 of the uploaded bytes, hex. */
  sha256: string;
  /** Of the signed file, hex: the page is a file of its own, made when everybody has signed. */
  signedSha256?: string;
  pageCount: number;
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

const BLOCK_HEIGHT = 104;
const BLOCK_GAP = 10;

/** Pages that follow the document: what it is, how to verify it, and one block per signer that their own revision fills. */
export async function drawSignaturePages(input: SignaturePageInput): Promise<{ pdf: Uint8Array; blocks: EvidenceBlock[] }> {
  const translate = translatorOf(input.localesDir);
  const t: Sentence = (key, values = {}) => translate(input.locale, key, values);
  const { pdf, finish } = openSheets({
    info: { Title: input.signedSha256 === undefined ? t('page.title') : t('page.titleOf', { name: input.documentName }) },
    autoFirstPage: false,
    ...(input.standard?.partOne ? { pdfVersion: '1.4', subset: 'PDF/A-1b' } : {}),
    ...(input.standard?.tagged ? { tagged: true } : {}),
    ...(input.signedSha256 === undefined ? {} : { pdfVersion: '1.7', displayTitle: true, lang: languageTag(input.locale) }),
  });
  const as = input.signedSha256 === undefined ? ('Sect' as const) : ('Document' as const);
  const tags = new PageTags(pdf, input.standard?.tagged ? { as, title: t('page.title'), lang: languageTag(input.locale) } : null);
  pdf.addPage();
  let y = drawHead(pdf, tags, input, t);
  let page = 1;
  const blocks: EvidenceBlock[] = [];
  for (const [index, signer] of input.signers.entries()) {
    if (y + BLOCK_HEIGHT > sheet.height - sheet.margin - 24) {
      pdf.addPage();
      page += 1;
      y = drawContinuation(pdf, tags, input, t);
    }
    blocks.push({ appendedPage: page, rect: drawBlock(pdf, tags, y, index, signer, t) });
    y += BLOCK_HEIGHT + BLOCK_GAP;
  }
  tags.end();
  return { pdf: await finish(), blocks };
}

function drawHead(pdf: Doc, tags: PageTags, input: SignaturePageInput, t: Sentence): number {
  const { margin, width } = sheet;
  const qrSize = 92;
  const textWidth = width - 2 * margin - qrSize - 20;
  drawLetterhead(pdf, tags, input.letterhead, textWidth);
  tags.say('P', () =>
    pdf
      .font('bold')
      .fontSize(20)
      .fillColor(palette.ink)
      .text(t('page.title'), margin, margin + 16, { width: textWidth }),
  );
  pdf.y = Math.max(pdf.y, margin + 44);
  const rows: [string, string][] = [
    [t('page.document'), input.documentName],
    [t('page.process'), input.processTitle],
    [t('page.identifier'), input.documentId],
    [t('page.hash'), input.sha256],
    ...(input.signedSha256 === undefined ? [] : [[t('page.signedHash'), input.signedSha256] satisfies [string, string]]),
  ];
  for (const [label, value] of rows) {
    tags.say('P', () => {
      pdf
        .font('bold')
        .fontSize(8)
        .fillColor(palette.muted)
        .text(label, margin, pdf.y + 4, { width: textWidth });
      pdf.font('regular').fontSize(9.5).fillColor(palette.ink).text(value, margin, pdf.y, { width: textWidth });
    });
  }
  const qrAt = { x: width - margin - qrSize, y: margin, size: qrSize };
  const box: [number, number, number, number] = [qrAt.x, qrAt.y, qrAt.x + qrSize, qrAt.y + qrSize];
  tags.say('Figure', () => drawCode(pdf, input.verificationUrl, qrAt), { alt: t('page.code', { url: input.verificationUrl }), bbox: box });
  drawExplanation(pdf, tags, input, margin + qrSize + 8, t);
  return pdf.y + 6;
}

function drawExplanation(pdf: Doc, tags: PageTags, input: SignaturePageInput, least: number, t: Sentence): void {
  const { margin, width } = sheet;
  pdf.y = Math.max(pdf.y + 8, least);
  tags.say('P', () =>
    pdf
      .font('regular')
      .fontSize(9)
      .fillColor(palette.ink)
      .text(t('page.verify', { url: input.verificationUrl }), margin, pdf.y, { width: width - 2 * margin }),
  );
  if (input.signedSha256 !== undefined)
    tags.say('P', () =>
      pdf
        .font('regular')
        .fontSize(9)
        .fillColor(palette.ink)
        .text(t('page.apart'), margin, pdf.y + 4, { width: width - 2 * margin }),
    );
  tags.say('P', () =>
    pdf
      .font('regular')
      .fontSize(8.5)
      .fillColor(palette.muted)
      .text(t(input.modality === 'digital' ? 'page.legalDigital' : 'page.legal'), margin, pdf.y + 4, { width: width - 2 * margin }),
  );
  tags.say('P', () =>
    pdf
      .font('bold')
      .fontSize(12)
      .fillColor(palette.ink)
      .text(t('page.signers'), margin, pdf.y + 12),
  );
}

/** Dark squares as areas, neighbours of a row in one: sharp in any size, and black as gray. */
function drawCode(pdf: Doc, text: string, at: { x: number; y: number; size: number }): void {
  const { modules } = QRCode.create(text, { errorCorrectionLevel: 'M' });
  const step = at.size / modules.size;
  pdf.save().addContent('0 g');
  for (let row = 0; row < modules.size; row++) {
    for (let column = 0; column < modules.size; column++) {
      const first = column;
      while (column < modules.size && modules.get(row, column)) column++;
      if (column > first) pdf.rect(at.x + first * step, at.y + row * step, (column - first) * step, step);
    }
  }
  pdf.fill().restore();
}

function drawContinuation(pdf: Doc, tags: PageTags, input: SignaturePageInput, t: Sentence): number {
  drawBand(pdf, tags, input.letterhead);
  tags.say('P', () => pdf.font('bold').fontSize(12).fillColor(palette.ink).text(t('page.continued'), sheet.margin, sheet.margin));
  tags.say('P', () =>
    pdf
      .font('regular')
      .fontSize(8.5)
      .fillColor(palette.muted)
      .text(`${t('page.identifier')} ${input.documentId}`),
  );
  return pdf.y + 10;
}

/** Frame, number and name are the page's; what the signer's act adds goes into the rectangle that comes back. */
function drawBlock(pdf: Doc, tags: PageTags, top: number, index: number, signer: SignaturePageInput['signers'][number], t: Sentence): Rect {
  const { margin, width, height } = sheet;
  const blockWidth = width - 2 * margin;
  tags.adorn(() => pdf.roundedRect(margin, top, blockWidth, BLOCK_HEIGHT, 6).lineWidth(0.75).stroke(palette.line));
  tags.say('P', () =>
    pdf
      .font('bold')
      .fontSize(9.5)
      .fillColor(palette.ink)
      .text(headingOf(signer, index + 1, t), margin + 10, top + 7, {
        width: blockWidth - 20,
        height: 13,
        ellipsis: true,
      }),
  );
  const inner = { x: margin + 6, y: top + 22, width: blockWidth - 12, height: BLOCK_HEIGHT - 28 };
  return { x: inner.x, y: height - inner.y - inner.height, width: inner.width, height: inner.height };
}

function headingOf({ name, cnpj }: SignaturePageInput['signers'][number], number: number, t: Sentence): string {
  return cnpj === null ? t('page.signerHeading', { number, name }) : t('page.signerHeadingFor', { number, name, cnpj: formatCnpj(cnpj) });
}
