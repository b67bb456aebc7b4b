import { memorySource, openPdf, readAll, signPdf, withRevision } from '@lavra/pades';
import { throwawaySigner } from '../packages/pades/src/testing/throwaway-signer.ts';

/** A PDF of that many bytes, signed by somebody nobody knows. */
export async function largeSignedPdf(size: number): Promise<Buffer> {
  const page = ['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 595 842]>>'];
  let text = '%PDF-1.7\n';
  const offsets: number[] = [];
  for (const [index, body] of [...page, '<</Type/Page/Parent 2 0 R/Resources<<>>/Contents 4 0 R>>'].entries()) {
    offsets.push(text.length);
    text += `${index + 1} 0 obj\n${body}\nendobj\n`;
  }
  offsets.push(text.length);
  const head = Buffer.from(`${text}4 0 obj\n<</Length ${size}>>\nstream\n`);
  const tail = '\nendstream\nendobj\n';
  const start = head.length + size + tail.length;
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const xref = `xref\n0 5\n0000000000 65535 f \n${rows}trailer\n<</Size 5/Root 1 0 R>>\nstartxref\n${start}\n%%EOF\n`;
  const base = memorySource(Buffer.concat([head, Buffer.alloc(size, ' '), Buffer.from(tail + xref)]));
  const signed = await signPdf(await openPdf(base), throwawaySigner('Maria Grande'), {
    field: { name: 'maria' },
    signingTime: new Date(),
  });
  return Buffer.from(await readAll(withRevision(base, signed)));
}
