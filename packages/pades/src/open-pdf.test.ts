import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPdf, openRevised } from './open-pdf.ts';
import { latin1Bytes, latin1Text } from './pdf/objects.ts';
import { listFields } from './pdf/form.ts';
import { preparePdf } from './prepare/prepare-pdf.ts';
import { memorySource, withRevision } from './source.ts';
import { simplePdf } from './testing/make-pdf.ts';

test('a file that grew says what it says when it is opened anew', async () => {
  const before = await openPdf(memorySource(simplePdf()));
  const revision = await preparePdf(before, { signatureFields: [{ name: 'ana' }, { name: 'rui' }] });
  const [grown, anew] = [await openRevised(before, revision), await openPdf(withRevision(before.source, revision))];
  const names = async (pdf: typeof grown) => (await listFields(pdf)).map(({ name }) => name);
  assert.deepEqual(await names(grown), ['ana', 'rui']);
  assert.deepEqual(await names(grown), await names(anew));
  assert.deepEqual(await names(before), []);
  assert.equal(grown.sections.length, anew.sections.length);
});

test('a file that grew has no more revisions than one that is opened anew may have', async () => {
  const plain = latin1Text(simplePdf());
  const start = /startxref\s+(\d+)/.exec(plain)?.[1] ?? '';
  const section = (at: number, prev: string) =>
    `xref\n0 1\n0000000000 65535 f \ntrailer\n<</Root 1 0 R/Size 4/Prev ${prev}>>\nstartxref\n${at}\n%%EOF\n`;
  let text = plain;
  let prev = start;
  for (let count = 1; count < 2048; count++) {
    const at = text.length;
    text += section(at, prev);
    prev = String(at);
  }
  const full = await openPdf(memorySource(latin1Bytes(text)));
  assert.equal(full.sections.length, 2048);
  const one = { offset: text.length, bytes: latin1Bytes(section(text.length, prev)) };
  await assert.rejects(openRevised(full, one), /TOO_COMPLEX/);
  await assert.rejects(openPdf(withRevision(full.source, one)), /TOO_COMPLEX/);
});
