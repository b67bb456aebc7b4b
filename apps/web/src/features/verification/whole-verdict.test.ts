import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { getValidation, Reply } from '@lavra/api';
import { judgedInValidation } from './judged.ts';
import { verdictOfValidation } from './whole-verdict.ts';

type Validation = Reply<typeof getValidation>;

const afterwards = { end: 100, coversWholeFile: false, notes: [], changes: [] };
const signer = (values: Partial<Validation['signers'][number]> = {}): Validation['signers'][number] => ({
  name: 'Ana',
  legalIdentifier: null,
  email: 'a***@exemplo.com.br',
  status: 'SIGNED',
  signedAt: null,
  indication: 'TOTAL-PASSED',
  reasons: [],
  level: 'B-LTA',
  provenTime: null,
  certificate: null,
  ...afterwards,
  ...values,
});
const waiting = signer({ status: 'SENT', indication: null, end: null });

function told(values: Partial<Validation>) {
  const data: Validation = {
    nameDocument: 'contrato.pdf',
    processTitle: 'Contrato',
    status: 'FINALIZED_WITH_SUCCESS',
    type: 'ELETRONIC_SIGNATURE',
    originalHash: '',
    signedHash: '',
    filesRemovedDate: null,
    signers: [signer(), signer()],
    seals: [{ name: 'Lavra', kind: 'seal', time: null, indication: 'TOTAL-PASSED', reasons: [], ...afterwards, end: 300 }],
    signaturePage: null,
    logsProcess: [],
    signedDocumentWithEvidencePage: null,
    ...values,
  };
  return verdictOfValidation(data, judgedInValidation(data));
}

test('a finished document whose signatures all hold is valid; the seal is nobody’s signature', () => {
  const { kind, count, valid, progress } = told({});
  assert.deepEqual([kind, count, valid, progress], ['valid', 2, 2, { signed: 2, asked: 2 }]);
});

test('good signatures make no valid document before everybody has signed, nor after it ended otherwise', () => {
  assert.equal(told({ status: 'IN_PROGRESS', signers: [signer(), waiting], seals: [] }).kind, 'waiting');
  assert.equal(told({ status: 'IN_PROGRESS' }).kind, 'waiting');
  for (const status of ['CREATOR_CANCELED', 'FINALIZED_BY_REJECTION', 'FINALIZED_BY_EXPIRATION', 'SOMETHING_NEW'])
    assert.equal(told({ status, signers: [signer(), waiting], seals: [] }).kind, 'ended', status);
});

test('a finished document without the signature of somebody who signed is invalid', () => {
  const { kind, valid, count } = told({ signers: [signer(), signer({ indication: null, end: null })] });
  assert.deepEqual([kind, valid, count], ['invalid', 1, 2]);
});

test('what is broken is told however far the process has come', () => {
  const broken = signer({ indication: 'TOTAL-FAILED', reasons: ['DIGEST_MISMATCH'] });
  for (const status of ['IN_PROGRESS', 'CREATOR_CANCELED', 'FINALIZED_WITH_SUCCESS'])
    assert.equal(told({ status, signers: [broken, waiting] }).kind, 'changed', status);
});

test('of bytes that are kept no longer nothing is said to hold', () => {
  assert.equal(
    told({ filesRemovedDate: '2026-11-22T20:00:00Z', signers: [signer({ indication: null, end: null })], seals: [] }).kind,
    'removed',
  );
});

test('a signature that the upload came with counts as one', () => {
  const prior = {
    name: 'Rui',
    kind: 'other' as const,
    time: null,
    indication: 'INDETERMINATE',
    reasons: ['CHAIN_UNTRUSTED'],
    ...afterwards,
  };
  const { kind, count, unconfirmed, isIntact } = told({ seals: [prior] });
  assert.deepEqual([kind, count, unconfirmed, isIntact], ['unconfirmed', 3, 1, true]);
});
