import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { openPdf } from '../open-pdf.ts';
import { memorySource } from '../source.ts';
import { signedCorpus } from '../../vectors/signed-corpus.ts';
import type { Answer, State } from '../../vectors/signed-corpus.ts';
import type { DocumentTimestampReport, ReasonCode, SignatureReport } from './report.ts';
import { verifyPdf } from './verify-pdf.ts';

const corpus = process.env['LAVRA_CORPUS'] ?? resolve(import.meta.dirname, '../../../../../shared/corpus');
const directory = join(corpus, 'signed');
const at = new Date('2026-11-01T00:00:00Z');

const undecided = new Set<ReasonCode>([
  'ALGORITHM_UNSUPPORTED',
  'SUBFILTER_UNSUPPORTED',
  'NO_SIGNED_ATTRIBUTES',
  'SIGNING_CERTIFICATE_NOT_FOUND',
]);
const changed = new Set<ReasonCode>(['CHANGED_AFTER_SIGNATURE', 'LATER_CHANGES_UNREADABLE', 'BOX_ADDED_AFTER_CERTIFICATION']);

/** Integrity alone, whoever is trusted. */
function stateOf({ indication, reasons }: SignatureReport | DocumentTimestampReport): State {
  if (reasons.some((reason) => changed.has(reason))) return 'changed';
  if (indication === 'TOTAL-FAILED') return 'broken';
  return reasons.some((reason) => undecided.has(reason)) ? 'unjudged' : 'intact';
}

function answerOf(report: SignatureReport | DocumentTimestampReport): Answer {
  const { kind, indication, subIndication, reasons, changes } = report;
  return [
    kind,
    stateOf(report),
    indication,
    subIndication,
    [...reasons],
    [...new Set(changes.map((change) => `${change.level}/${change.kind}`))].toSorted(),
  ];
}

async function answersTo(file: string): Promise<Answer[]> {
  const pdf = await openPdf(memorySource(new Uint8Array(readFileSync(join(directory, file)))));
  const { signatures, documentTimestamps } = await verifyPdf(pdf, { trust: { anchors: [], intermediates: [] }, at });
  return [...signatures, ...documentTimestamps].map(answerOf);
}

test('every signed file of the corpus is answered as written down, and where the expected answer is another, why', async (t) => {
  if (!existsSync(directory)) return t.skip(`no corpus at ${directory} (set LAVRA_CORPUS)`);
  const files = readdirSync(directory).filter((name) => name.endsWith('.pdf'));
  for (const file of files) {
    const row = signedCorpus[file];
    assert.ok(row, `${file} has no row`);
    const answers = await answersTo(file);
    assert.deepEqual(answers, row.answers, file);
    const states = answers.map(([, state]) => state);
    if (states.join() !== row.expected.join()) assert.ok(row.differs, `${file} differs from what is expected: ${states.join()}`);
    else assert.equal(row.differs, undefined, `${file} does not differ`);
  }
});
