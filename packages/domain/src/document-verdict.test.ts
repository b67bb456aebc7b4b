import assert from 'node:assert/strict';
import { test } from 'node:test';
import { documentVerdict, isSealField, type JudgedMark, openQuestions } from './document-verdict.ts';

const later = (kind: string, permitted = true) => ({ kind, by: null, fields: [], fieldCount: 0, pages: [], permitted });
const mark = (values: Partial<JudgedMark> = {}): JudgedMark => ({
  kind: 'signature',
  indication: 'TOTAL-PASSED',
  reasons: [],
  end: 100,
  changes: [],
  ...values,
});
const told = (marks: readonly JudgedMark[]) => {
  const { kind, count, valid, isIntact, after } = documentVerdict(marks);
  return [kind, count, valid, isIntact, after];
};

test('a document is valid when each signature, the seal and each timestamp is; the seal is counted with nobody', () => {
  const sealed = [
    mark({ changes: [later('signed'), later('validation-data')] }),
    mark({ end: 200, changes: [later('validation-data'), later('document-timestamp')] }),
    mark({ kind: 'seal', end: 300, changes: [later('validation-data'), later('document-timestamp')] }),
    mark({ kind: 'timestamp', end: 400 }),
  ];
  assert.deepEqual(told(sealed), ['valid', 2, 2, true, 'nothing']);
  assert.deepEqual(told([mark({ changes: [later('annotation-added')] })]), ['valid', 1, 1, true, 'permitted']);
});

test('no document is better than the worst that is in it', () => {
  for (const kind of ['signature', 'seal', 'timestamp'] as const) {
    const failed = [mark(), mark({ kind, indication: 'TOTAL-FAILED', reasons: ['SIGNATURE_INVALID'], end: 200 })];
    assert.equal(documentVerdict(failed).kind, 'invalid', kind);
    const doubtful = [mark(), mark({ kind, indication: 'INDETERMINATE', reasons: ['REVOCATION_UNKNOWN'], end: 200 })];
    assert.equal(documentVerdict(doubtful).kind, 'unconfirmed', kind);
    assert.equal(documentVerdict(doubtful).isIntact, true, kind);
    assert.equal(documentVerdict([mark(), mark({ kind, indication: 'SOMETHING-NEW', end: 200 })]).kind, 'unconfirmed', kind);
  }
});

test('a signature that ought to be in the file and is not, is invalid', () => {
  const { kind, count, valid, invalid, isIntact } = documentVerdict([mark(), mark({ indication: null, end: null })]);
  assert.deepEqual([kind, count, valid, invalid, isIntact], ['invalid', 2, 1, 1, false]);
});

test('what was changed is told as that, whatever else is against it', () => {
  const changed = [
    mark({ indication: 'TOTAL-FAILED', reasons: ['DIGEST_MISMATCH'] }),
    mark({ indication: 'TOTAL-FAILED', reasons: ['CHANGED_AFTER_SIGNATURE'], changes: [later('page-content', false)] }),
    mark({ changes: [later('page-content', false)] }),
    mark({ kind: 'timestamp', indication: 'TOTAL-FAILED', reasons: ['TIMESTAMP_IMPRINT_MISMATCH'], end: 200 }),
  ];
  for (const one of changed) {
    const { kind, isIntact } = documentVerdict([mark(), mark({ indication: 'INDETERMINATE', reasons: ['CHAIN_UNTRUSTED'] }), one]);
    assert.deepEqual([kind, isIntact], ['changed', false], one.reasons.join());
  }
  assert.equal(documentVerdict([mark({ changes: [later('page-content', false)] })]).after, 'forbidden');
});

test('a timestamp of a signature that is another’s is a signature that is invalid: the document may be unchanged', () => {
  assert.equal(documentVerdict([mark({ indication: 'TOTAL-FAILED', reasons: ['TIMESTAMP_IMPRINT_MISMATCH'] })]).kind, 'invalid');
});

test('that nothing was changed is not said where it could not be seen', () => {
  assert.deepEqual(told([mark({ indication: 'INDETERMINATE', reasons: ['LATER_CHANGES_UNREADABLE'] })]), [
    'unconfirmed',
    1,
    0,
    false,
    'unknown',
  ]);
  assert.equal(documentVerdict([mark(), mark({ end: null })]).after, 'unknown');
  assert.equal(documentVerdict([mark(), mark({ end: 0 })]).after, 'unknown');
});

test('a file without a signature is no valid document, though it has a timestamp', () => {
  assert.deepEqual(told([]), ['unsigned', 0, 0, false, 'unknown']);
  assert.equal(documentVerdict([mark({ kind: 'timestamp' })]).kind, 'unsigned');
});

test('what was not checked is named, the gravest first', () => {
  const marks = [
    mark({ reasons: ['REVOCATION_UNKNOWN', 'CHAIN_UNTRUSTED'] }),
    mark({ kind: 'timestamp', reasons: ['REVOCATION_UNPROVEN'] }),
  ];
  assert.deepEqual(openQuestions(marks), ['trust', 'revocation']);
  assert.deepEqual(openQuestions([mark(), mark({ reasons: ['DIGEST_MISMATCH'] })]), []);
});

test('the field of the platform’s seal is known by its name', () => {
  assert.deepEqual(['lavra_01234567_selo', 'lavra_01234567_s1', 'x.lavra_01234567_selo'].map(isSealField), [true, false, false]);
});
