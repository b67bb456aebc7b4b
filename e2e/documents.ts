import { createRequire } from 'node:module';

const require = createRequire(new URL('../apps/server/package.json', import.meta.url));
const PDFDocument = require('pdfkit') as new (options: object) => {
  on(event: string, listener: (chunk: Buffer) => void): void;
  addPage(options: object): unknown;
  fontSize(size: number): { text(text: string, x: number, y: number): unknown };
  page: { dictionary: { data: Record<string, unknown> } };
  end(): void;
};

/** A contract of some pages; `turned`: the first page is rotated by 90° and cropped. */
export function makeContract(title: string, pages: number, turned = false): Promise<Buffer> {
  return new Promise((resolve) => {
    const pdf = new PDFDocument({ autoFirstPage: false });
    const chunks: Buffer[] = [];
    pdf.on('data', (chunk) => chunks.push(chunk));
    pdf.on('end', () => resolve(Buffer.concat(chunks)));
    for (let number = 1; number <= pages; number += 1) {
      pdf.addPage({ size: 'A4' });
      if (turned && number === 1) {
        pdf.page.dictionary.data['Rotate'] = 90;
        pdf.page.dictionary.data['CropBox'] = [40, 60, 555, 800];
      }
      pdf.fontSize(20).text(title, 72, 90);
      pdf.fontSize(11).text(`Cláusula ${number}. As partes têm, entre si, justo e acertado o presente contrato.`, 72, 130);
    }
    pdf.end();
  });
}
