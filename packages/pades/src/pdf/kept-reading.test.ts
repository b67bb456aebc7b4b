import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPdf } from '../open-pdf.ts';
import { memorySource } from '../source.ts';
import { simplePdf } from '../testing/make-pdf.ts';
import { keptReading } from './kept-reading.ts';
import { readPermissions } from './permissions.ts';

test('a reading is made once for an opened file, again when its table was rebuilt or when it failed, and for another file', async () => {
  let [made, isFailing] = [0, false];
  const read = keptReading(() => {
    made += 1;
    return isFailing ? Promise.reject(new Error('away')) : Promise.resolve(made);
  });
  const [pdf, other] = [await openPdf(memorySource(simplePdf())), await openPdf(memorySource(simplePdf()))];
  assert.deepEqual([await read(pdf), await read(pdf), await read(other)], [1, 1, 2]);
  pdf.recovered = true;
  isFailing = true;
  await assert.rejects(read(pdf), /away/);
  isFailing = false;
  assert.deepEqual([await read(pdf), await read(pdf)], [4, 4]);
});

test('what signatures allow is read once, whoever asks', async () => {
  const pdf = await openPdf(memorySource(simplePdf()));
  assert.equal(await readPermissions(pdf), await readPermissions(pdf));
});
