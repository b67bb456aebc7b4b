import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { openPdf } from '../open-pdf.ts';
import { memorySource } from '../source.ts';
import { compareWithDss, disagreements } from '../testing/dss-agreement.ts';
import { dssAsserts } from '../../vectors/dss-asserts.ts';
import { verifyPdf } from './verify-pdf.ts';

const corpus = process.env['LAVRA_CORPUS'] ?? resolve(import.meta.dirname, '../../../../../shared/corpus');
const directory = join(corpus, 'signed');

test('we find in the signed corpus what EU DSS finds and asserts, but for what is argued', async (t) => {
  if (!existsSync(directory)) return t.skip(`no corpus at ${directory} (set LAVRA_CORPUS)`);
  for (const file of readdirSync(directory).filter((name) => name.endsWith('.pdf'))) {
    const row = dssAsserts[file] ?? assert.fail(`${file} has no row`);
    const pdf = await openPdf(memorySource(new Uint8Array(readFileSync(join(directory, file)))));
    const report = await verifyPdf(pdf, { trust: { anchors: [], intermediates: [] }, at: new Date('2026-11-01T00:00:00Z') });
    assert.deepEqual(disagreements(compareWithDss(row.facts, report)).toSorted(), Object.keys(row.argued ?? {}).toSorted(), file);
  }
});
