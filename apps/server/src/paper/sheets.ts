import PDFDocument from 'pdfkit';
import { useLetters } from './letters.ts';

/** What is drawn on. */
export type Doc = InstanceType<typeof PDFDocument>;

/** A text of `locales/` in the language of what is drawn. */
export type Sentence = (key: string, values?: Record<string, string | number>) => string;

/** A4, and the room kept free around what is drawn, in points. */
export const sheet = { width: 595.28, height: 841.89, margin: 48 } as const;

/** Of papers whose pages have a foot: text that goes on by itself stays above it. */
const margins = { top: sheet.margin, left: sheet.margin, right: sheet.margin, bottom: 68 };

/** Down to here a page is drawn on; below is its foot. */
export function floorOf(pdf: Doc): number {
  return pdf.page.height - margins.bottom;
}

/** Between the margins. */
export function widthOf(pdf: Doc): number {
  return pdf.page.width - 2 * sheet.margin;
}

/** Pages with a foot, which is drawn on all of them in the end (`drawFeet`). */
export const footed: PDFKit.PDFDocumentOptions = { margins, bufferPages: true };

/** An empty document with our letters in it; `finish` ends it and gives its bytes. */
export function openSheets(
  options: PDFKit.PDFDocumentOptions,
  { landscape = false } = {},
): { pdf: Doc; finish: () => Promise<Uint8Array> } {
  const size: [number, number] = landscape ? [sheet.height, sheet.width] : [sheet.width, sheet.height];
  // No font of pdfkit's own: it would read one that nobody uses.
  const pdf = new PDFDocument({ size, margin: sheet.margin, font: '', ...options });
  const chunks: Buffer[] = [];
  const ended = new Promise<void>((resolve, reject) =>
    pdf
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', resolve)
      .on('error', reject),
  );
  useLetters(pdf);
  const finish = async (): Promise<Uint8Array> => {
    pdf.end();
    await ended;
    return new Uint8Array(Buffer.concat(chunks));
  };
  return { pdf, finish };
}

/** Of a paper that stands by itself: read aloud in its order and kept for decades (ISO 19005-2, level A). */
export function ownPaper(lang: string, title: string): PDFKit.PDFDocumentOptions {
  return { lang, info: { Title: title, Author: 'Lavra' }, tagged: true, displayTitle: true, pdfVersion: '1.7', subset: 'PDF/A-2a' };
}

/** The text in one line: smaller where it is wider than `width`, never broken. */
export function fittedSize(pdf: Doc, text: string, width: number, size: number): number {
  const wide = pdf.fontSize(size).widthOfString(text);
  return wide <= width ? size : Math.max(4, Math.floor(((size * width) / wide) * 20) / 20);
}
