import assert from 'node:assert/strict';
import { it } from 'node:test';
import { generateEvidencePage, registerSignatureEvidence } from '@lavra/api';
import { evidenceCall } from './produce-evidence.ts';

it('after SIGNED the evidence is produced: the page generated if the process is finalized, otherwise the evidence registered', () => {
  assert.equal(evidenceCall(true), generateEvidencePage);
  assert.equal(evidenceCall(false), registerSignatureEvidence);
});
