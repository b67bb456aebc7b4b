import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPdf } from '../open-pdf.ts';
import { coveredSource, memorySource, readAll } from '../source.ts';
import { attackWorld } from '../testing/attacks/world.ts';
import { contract, handMade, sign } from '../testing/attacks/bases.ts';
import { revise } from '../testing/attacks/write-revision.ts';
import { makePdf } from '../testing/make-pdf.ts';
import { verifyPdf } from '../verify/verify-pdf.ts';
import { inspectPdf } from '../inspect/inspect-pdf.ts';
import { PdfRef, latin1Bytes, latin1Text } from './objects.ts';

const world = await attackWorld();

test('a table whose rows are uneven, and even again at its end, is read', async () => {
  const plain = latin1Text(
    makePdf(['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[3 0 R]/Count 1>>', '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>']),
  );
  const uneven = plain.replace(/(65535 f) ?\r?\n/, '$1\n').replace(/(\d{10} 00000 n) ?\r?\n(trailer)/, '$1  \n$2');
  assert.notEqual(uneven, plain);
  const pdf = await openPdf(memorySource(latin1Bytes(uneven)));
  const { refusal, pageCount } = await inspectPdf(pdf);
  assert.deepEqual([refusal, pageCount], [null, 1]);
});

test('a last section that says Prev 0 hides no signature before it, and passes none either', async () => {
  const plain = revise(new Uint8Array(), { objects: contract(), trailer: '/Info 6 0 R', prev: null });
  const both = await sign(await sign(plain, world, 'ana'), world, 'rui');
  const cut = revise(both, { objects: { 60: '<<>>', 1: '<</Type/Catalog/Pages 2 0 R/AcroForm 20 0 R>>' }, prev: 0 });
  const { signatures } = await verifyPdf(await openPdf(memorySource(cut)), world.options);
  assert.deepEqual(
    signatures.map(({ fields, indication, reasons }) => [fields.join(), indication, reasons.join()]),
    [
      ['ana', 'INDETERMINATE', 'LATER_CHANGES_UNREADABLE'],
      ['rui', 'INDETERMINATE', 'LATER_CHANGES_UNREADABLE'],
    ],
  );
});

test('what is asked at once while the table is rebuilt is found, as it is when asked one by one', async () => {
  const objects = ['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[3 0 R]/Count 1>>', '<</Type/Page/Parent 2 0 R>>', '41', '51', '61'];
  // The rows of 4 and 5 cannot be read and lead elsewhere; that of 6 is right.
  const text = latin1Text(makePdf(objects)).replace(
    /\d{10} 00000 n \n\d{10} (00000 n \n\d{10} 00000 n \ntrailer)/,
    '00000x0099 00000 n \n0000000015 $1',
  );
  const pdf = await openPdf(memorySource(latin1Bytes(text)));
  assert.equal(pdf.recovered, false);
  const all = await Promise.all([4, 5, 6].map((num) => pdf.resolve(new PdfRef(num, 0))));
  assert.deepEqual(all, [41, 51, 61]);
  assert.equal(pdf.recovered, true);
});

test('a file whose table would need eleven digits is refused before anything is written', async () => {
  const bytes = makePdf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>',
  ]);
  const size = 10_500_000_000;
  const text = latin1Text(bytes);
  const tail = latin1Bytes(text.slice(text.lastIndexOf('startxref')));
  // What is between is never read: a file of holes.
  const read = (offset: number, length: number): Promise<Uint8Array> => {
    const out = new Uint8Array(Math.min(length, size - offset)).fill(0x20);
    out.set(bytes.subarray(offset, offset + out.length));
    const start = size - tail.length - offset;
    for (let at = 0; at < tail.length; at++) if (start + at >= 0 && start + at < out.length) out[start + at] = tail[at] ?? 0;
    return Promise.resolve(out);
  };
  const { refusal } = await inspectPdf(await openPdf({ size, read }));
  assert.equal(refusal, 'TOO_COMPLEX');
});

test('what a signature covers is had as a source: the document as it was signed', async () => {
  const base = await handMade(world);
  const later = revise(base, { objects: { 60: '<<>>' } });
  const [signature] = (await verifyPdf(await openPdf(memorySource(later)), world.options)).signatures;
  assert.ok(signature);
  assert.deepEqual(await readAll(coveredSource(memorySource(later), signature)), base);
  assert.throws(() => coveredSource(memorySource(base), { end: base.length + 1 }), /INVALID_PLAN|bytes/);
});
