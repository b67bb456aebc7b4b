import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { at, contract } from '../attacks/bases.ts';
import { revise } from '../attacks/write-revision.ts';
import { pdfium } from './pdfium.ts';
import type { Drawer, Medium } from './picture.ts';

const plain = contract();
const round = { ...plain, [at.page]: (plain[at.page] ?? '').replace('/Parent 2 0 R', '/Parent 3 0 R') };
/** Its pages stand deeper in the tree than we climb, and not than PDFium does. */
const deep: Record<number, string> = { ...round, [at.pages]: '<</Type/Pages/Kids[100 0 R]/Count 2/MediaBox[0 0 595 842]>>' };
for (let num = 100; num < 200; num++) deep[num] = `<</Type/Pages/Count 2/Kids[${num === 199 ? '3 0 R 9 0 R' : `${num + 1} 0 R`}]>>`;
const write = (objects: Record<number, string>): Uint8Array => revise(new Uint8Array(), { objects, prev: null });

const drawers: Drawer[] = [];
after(() => Promise.all(drawers.map((drawer) => drawer.close())));
function start(patience?: number): Drawer {
  const drawer = pdfium(patience);
  drawers.push(drawer);
  return drawer;
}
async function pagesOf(drawer: Drawer, file: Uint8Array, medium: Medium): Promise<number | string> {
  const drawn = await drawer.draw(file, medium);
  return typeof drawn === 'string' ? drawn : (drawn?.length ?? 'nothing');
}

test('pages whose Parents lead round are not handed to PDFium for print: it would climb them for ever', { timeout: 30_000 }, async () => {
  const patient = start(2 ** 30);
  assert.equal(await pagesOf(patient, write(round), 'print'), 'endless');
  assert.equal(await pagesOf(patient, write(round), 'screen'), 2);
});

test('what hangs PDFium all the same is stopped, and file after file is drawn then', { timeout: 60_000 }, async () => {
  const drawer = start(1500);
  assert.equal(await pagesOf(drawer, write(deep), 'print'), 'endless');
  for (const medium of ['screen', 'print', 'screen', 'print'] as const) assert.equal(await pagesOf(drawer, write(plain), medium), 2);
});
