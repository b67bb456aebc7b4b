import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

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

/** One that is as heavy as that, and cannot be packed. */
export async function makeHeavy(title: string, bytes: number): Promise<Buffer> {
  const filling = randomBytes(bytes / 2).toString('hex');
  return Buffer.concat([await makeContract(title, 2), Buffer.from(`% ${filling}\n`)]);
}

/** The same document behind a password; `limits`: what its owner, whose password is "do dono", does not leave to others. */
export function encrypted(pdf: Buffer, limits: readonly string[] = []): Buffer {
  const directory = mkdtempSync(join(tmpdir(), 'lavra-encrypted-'));
  const [open, closed] = [join(directory, 'open.pdf'), join(directory, 'closed.pdf')];
  writeFileSync(open, pdf);
  execFileSync('qpdf', ['--encrypt', 'segredo', 'do dono', '256', ...limits, '--', open, closed]);
  return readFileSync(closed);
}

/** A well-formed file whose page tree is empty. */
export function withoutPages(): Buffer {
  const objects = ['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [] /Count 0 >>'];
  let text = '%PDF-1.7\n';
  const offsets = objects.map((object, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const start = text.length;
  return Buffer.from(
    `${text}xref\n0 3\n0000000000 65535 f \n${offsets.join('')}trailer\n<< /Size 3 /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`,
  );
}
