import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { openPdf } from '../open-pdf.ts';
import { memorySource } from '../source.ts';
import type { ReasonCode, VerificationReport } from './report.ts';
import { verifyPdf } from './verify-pdf.ts';

const corpus = process.env['LAVRA_CORPUS'] ?? resolve(import.meta.dirname, '../../../../../shared/corpus');
const directory = join(corpus, 'attacks');
const at = new Date('2026-11-22T00:00:00Z');
const told = new Set<ReasonCode>(['CHANGED_AFTER_SIGNATURE', 'LATER_CHANGES_UNREADABLE', 'BOX_OVER_FIELD']);

async function reportOf(file: string): Promise<VerificationReport> {
  const pdf = await openPdf(memorySource(new Uint8Array(readFileSync(join(directory, file)))));
  return verifyPdf(pdf, { trust: { anchors: [], intermediates: [] }, at });
}

function isTold({ reasons }: { reasons: readonly ReasonCode[] }): boolean {
  return reasons.some((reason) => told.has(reason));
}

test('of files before and after an attack, every signature that stood there tells of the attack, and none before it', async (t) => {
  if (!existsSync(directory)) return t.skip(`no pairs at ${directory} (set LAVRA_CORPUS)`);
  const pairs = readdirSync(directory).filter((name) => name.endsWith('.before.pdf'));
  assert.ok(pairs.length >= 12);
  for (const before of pairs) {
    const after = before.replace('.before.pdf', '.after.pdf');
    const [was, is] = [await reportOf(before), await reportOf(after)];
    assert.ok(was.signatures.length > 0 && !was.signatures.some(isTold), before);
    assert.equal(is.signatures.length, was.signatures.length, after);
    assert.ok(is.signatures.every(isTold), `${after} passes`);
    assert.equal(is.indication, 'TOTAL-FAILED', after);
  }
});
