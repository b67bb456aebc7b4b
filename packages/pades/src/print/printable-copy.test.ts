import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPdf } from '../open-pdf.ts';
import { preparePdf } from '../prepare/prepare-pdf.ts';
import { signPdf } from '../sign/sign-pdf.ts';
import { memorySource, readAll, withRevision } from '../source.ts';
import { simplePdf } from '../testing/make-pdf.ts';
import { throwawaySigner } from '../testing/throwaway-signer.ts';
import { hasTool, pdfsig, qpdf, runOn, runWith } from '../testing/tools.ts';
import { verifyPdf } from '../verify/verify-pdf.ts';
import { printableCopy } from './printable-copy.ts';

const noPoppler = (await hasTool('pdftoppm')) && (await hasTool('qpdf')) ? false : 'no poppler or qpdf';
const attachment = { name: 'Locação – assinado.pdf', description: 'O documento assinado' };
const footer = (page: number, pages: number): string => `COPY ${page} of ${pages}`;

/** Contents that leave a state open, paint over the edges of what is shown, and close more than they opened. */
const contents = 'q 1 0 0 1 30 40 cm 0.2 0.4 0.8 rg 0 0 200 90 re f\n0.8 g -500 -500 2000 480 re f Q Q Q';
const stream = (data: string): string => `<</Length ${data.length}>>\nstream\n${data}\nendstream`;

/** Signed visibly, with a field that is checked and one that nobody sees. */
async function signedPage(rotate: number, page: string): Promise<Uint8Array> {
  const bytes = simplePdf({
    page: `/Rotate ${rotate} /Contents 4 0 R ${page}/Annots[5 0 R 6 0 R]`,
    catalog: '/AcroForm<</Fields[5 0 R 6 0 R]>>',
    more: [
      stream(contents),
      '<</Type/Annot/Subtype/Widget/FT/Btn/T(agreed)/V/On/AS/On/F 4/Rect[300 300 340 340]/AP<</N<</On 7 0 R/Off 8 0 R>>>>>>',
      '<</Type/Annot/Subtype/Widget/FT/Btn/T(hidden)/V/On/AS/On/F 2/Rect[400 300 440 340]/AP<</N<</On 7 0 R/Off 8 0 R>>>>>>',
      `<</Type/XObject/Subtype/Form/BBox[0 0 40 40]/Length 24>>\nstream\n1 0 0 rg 0 0 40 40 re f \nendstream`,
      `<</Type/XObject/Subtype/Form/BBox[0 0 40 40]/Length 0>>\nstream\n\nendstream`,
    ],
  });
  const rect = { x: 100, y: 200, width: 150, height: 60 };
  const plan = { signatureFields: [{ name: 'ana', at: { page: 1, rect } }] };
  const source = memorySource(bytes);
  const prepared = withRevision(source, await preparePdf(await openPdf(source), plan));
  const request = { field: 'ana', appearance: { text: 'Ana Lima' }, signingTime: new Date() };
  return readAll(withRevision(prepared, await signPdf(await openPdf(prepared), throwawaySigner('Ana Lima'), request)));
}

async function copied(bytes: Uint8Array): Promise<Uint8Array> {
  const source = memorySource(bytes);
  return readAll(withRevision(source, await printableCopy(await openPdf(source), { footer, attachment })));
}

async function picture(bytes: Uint8Array): Promise<{ width: number; rows: string[] }> {
  const { output } = await runOn('pdftoppm', ['-gray', '-r', '72', '-cropbox', '-singlefile'], bytes);
  const head = /^P5\s+(\d+)\s+(\d+)\s+255\s/.exec(output);
  assert.ok(head, 'pdftoppm gave no picture');
  const [width, height] = [Number(head[1]), Number(head[2])];
  const pixels = output.slice(head[0].length);
  return { width, rows: Array.from({ length: height }, (_, row) => pixels.slice(row * width, (row + 1) * width)) };
}

for (const rotate of [0, 90, 180, 270]) {
  for (const [name, page] of [
    ['', ''],
    [' of which a part is shown', '/CropBox[20 30 520 730]'],
  ] as const) {
    test(`a page turned by ${rotate}${name} looks the same above its footer`, { skip: noPoppler }, async () => {
      const signed = await signedPage(rotate, page);
      const copy = await copied(signed);
      assert.deepEqual(copy.subarray(0, signed.length), signed);
      const [before, after] = [await picture(signed), await picture(copy)];
      assert.equal(after.width, before.width);
      assert.equal(after.rows.length, before.rows.length + 30);
      assert.deepEqual(after.rows.slice(0, before.rows.length), before.rows);
      const strip = after.rows.slice(before.rows.length).join('');
      assert.match(strip, /[^\xff]/, 'nothing stands in the strip');
      assert.match(await text(copy), /COPY 1 of 1/);
      assert.equal((await qpdf(copy)).code, 0);
    });
  }
}

async function text(bytes: Uint8Array): Promise<string> {
  return (await runWith('pdftotext', ['{file}', '-'], { file: bytes })).output;
}

test(
  'the signed file lies in its copy byte for byte, and nobody’s signature is in the copy but that of who hands it out',
  { skip: noPoppler },
  async () => {
    const signed = await signedPage(0, '');
    const copy = await copied(signed);
    assert.match((await runOn('pdfsig', [], copy)).output, /does not contain any signatures/);
    const taken = await runWith('qpdf', ['--show-attachment=lavra-signed.pdf', '{file}'], { file: copy });
    assert.equal(taken.output, Buffer.from(signed).toString('latin1'));
    const source = memorySource(copy);
    const seal = await signPdf(await openPdf(source), throwawaySigner('Ana Lima'), { field: { name: 'seal' }, signingTime: new Date() });
    const sealed = await readAll(withRevision(source, seal));
    assert.deepEqual(await pdfsig(sealed), { valid: 1, total: 1 });
    const { signatures } = await verifyPdf(await openPdf(memorySource(sealed)), {
      trust: { anchors: [], intermediates: [] },
      at: new Date(),
    });
    assert.equal(signatures.length, 1);
  },
);

test('a file in which nothing can be appended has no copy', async () => {
  await assert.rejects(copied(simplePdf({ pages: '/Kids[<</Type/Page/Parent 2 0 R>>]/Count 1' })), { code: 'DAMAGED' });
});
