import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPdf } from '../../open-pdf.ts';
import { preparePdf } from '../../prepare/prepare-pdf.ts';
import { signPdf } from '../../sign/sign-pdf.ts';
import { memorySource, readAll, withRevision } from '../../source.ts';
import type { Revision } from '../../source.ts';
import { at, contract, handMade } from '../../testing/attacks/bases.ts';
import { attackWorld } from '../../testing/attacks/world.ts';
import { edit, revise, streamText, withEntries } from '../../testing/attacks/write-revision.ts';
import { verifyPdf } from '../verify-pdf.ts';

const world = await attackWorld();

async function appended(bytes: Uint8Array, make: (pdf: Awaited<ReturnType<typeof openPdf>>) => Promise<Revision>): Promise<Uint8Array> {
  const source = memorySource(bytes);
  return readAll(withRevision(source, await make(await openPdf(source))));
}

async function firstOf(bytes: Uint8Array) {
  const [first] = (await verifyPdf(await openPdf(memorySource(bytes)), world.options)).signatures;
  assert.ok(first);
  return first;
}

test('what changed after a signature is told with the pages on which it is seen', async () => {
  const signed = await handMade(world);
  const pagesOf = async (bytes: Uint8Array) => (await firstOf(bytes)).forbidden.map(({ kind, pages }) => [kind, ...pages]);
  const content = (num: number) => edit(signed, num, () => streamText('BT /F1 24 Tf 60 700 Td (Valor: 9.999,00) Tj ET'));
  assert.deepEqual(await pagesOf(content(at.content)), [['page-content', 1]]);
  assert.deepEqual(await pagesOf(content(at.secondContent)), [['page-content', 2]]);
  const painted = edit(signed, at.image, () => streamText('9 9 9 9 re f', '/Type/XObject/Subtype/Form/BBox[0 0 10 10]'));
  assert.deepEqual(await pagesOf(painted), [['object', 1, 2]], 'both pages have these resources');
  const note = '<</Type/Annot/Subtype/FreeText/Rect[60 60 200 90]/Contents(Pago)>>';
  const noted = edit(signed, at.secondPage, (text) => withEntries(text, `/Annots[${at.free} 0 R]`), { objects: { [at.free]: note } });
  assert.deepEqual(await pagesOf(noted), [['annotation-added', 2]]);
});

test('who signs later is told on the page of their box, and is nothing forbidden; an invisible signature is on no page', async () => {
  const { [at.ana]: _ana, [at.rui]: _rui, ...own } = contract();
  const without = (text = '') => text.replace(' 31 0 R 32 0 R', '');
  const objects = { ...own, [at.form]: without(own[at.form]), [at.page]: without(own[at.page]) };
  const plain = revise(new Uint8Array(), { objects, trailer: '/Info 6 0 R', prev: null });
  const prepared = await appended(plain, (pdf) =>
    preparePdf(pdf, {
      signatureFields: [{ name: 's1' }, { name: 's2', at: { page: 2, rect: { x: 60, y: 300, width: 100, height: 40 } } }, { name: 's3' }],
    }),
  );
  let bytes = prepared;
  for (const field of ['s1', 's2', 's3'])
    bytes = await appended(bytes, (pdf) => signPdf(pdf, world.ana, { field, signingTime: world.at, crypto: world.crypto }));
  const { changes, forbidden } = await firstOf(bytes);
  assert.deepEqual(
    changes.map(({ kind, field, visible, pages }) => [kind, field, visible, ...pages]),
    [
      ['field-signed', 's2', true, 2],
      ['field-signed', 's3', false],
    ],
  );
  assert.deepEqual(forbidden, []);
});

test('a file made to be searched for ever is not: the verdict comes, and where it was is left open', async () => {
  const signed = await handMade(world);
  // Each page leads to the same million references, and none of them to what changed.
  const many = Array.from({ length: 300_000 }, () => '62 0 R').join(' ');
  const kids = Array.from({ length: 400 }, (_, index) => 100 + index);
  const objects: Record<number, string> = { 61: `[${many}]`, 62: '<</Nothing true>>' };
  for (const num of kids) objects[num] = '<</Type/Page/Parent 2 0 R/Resources<<>>/X 61 0 R>>';
  const pages = `<</Type/Pages/Kids[3 0 R 9 0 R ${kids.map((num) => `${num} 0 R`).join(' ')}]/Count ${kids.length + 2}/MediaBox[0 0 595 842]>>`;
  const forged = edit(signed, at.pages, () => pages, { objects });
  const start = performance.now();
  const { indication, forbidden } = await firstOf(forged);
  assert.deepEqual([indication, forbidden.map(({ kind }) => kind)], ['TOTAL-FAILED', ['page-tree']]);
  assert.ok(performance.now() - start < 20_000);
});
