import PDFDocument from 'pdfkit';
import { useLetters } from './letters.ts';

/** What is drawn on. */
export type Doc = InstanceType<typeof PDFDocument>;

/** A text of `locales/` in the language of what is drawn. */
export type Sentence = (key: string, values?: Record<string, string | number>) => string;

/** A4, and the room kept free around what is drawn, in points. */
export const sheet = { width: 595.28, height: 841.89, margin: 48 } as const;

/** An empty document with our letters in it; `finish` ends it and gives its bytes. */
export function openSheets(options: PDFKit.PDFDocumentOptions): { pdf: Doc; finish: () => Promise<Uint8Array> } {
  const pdf = new PDFDocument({ size: [sheet.width, sheet.height], margin: sheet.margin, ...options });
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
