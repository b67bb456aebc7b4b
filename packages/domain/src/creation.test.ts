import assert from 'node:assert/strict';
import { test } from 'node:test';
import { documentCountFault, isQuantity, nearestQuantity, signerCountFault } from './creation.ts';
import { limits } from './limits.ts';

test('a process has at least one document and one signer, and not more than its limits', () => {
  assert.equal(documentCountFault(0)?.fault, 'process.documentsRequired');
  assert.equal(documentCountFault(limits.documentsPerProcessMax), null);
  assert.deepEqual(documentCountFault(limits.documentsPerProcessMax + 1), {
    fault: 'process.tooManyDocuments',
    params: { max: limits.documentsPerProcessMax },
  });
  assert.equal(signerCountFault(0)?.fault, 'process.signersRequired');
  assert.equal(signerCountFault(limits.signersPerProcessMax), null);
  assert.equal(signerCountFault(limits.signersPerProcessMax + 1)?.fault, 'process.tooManySigners');
});

test('whatever is typed as a quantity becomes one that the server takes', () => {
  for (const typed of [Number.NaN, -3, 0, 1, 2.9, limits.quantityMax, limits.quantityMax + 1, Infinity])
    assert.ok(isQuantity(nearestQuantity(typed)), String(typed));
  for (const refused of [0, 1.5, limits.quantityMax + 1, Number.NaN]) assert.ok(!isQuantity(refused), String(refused));
});
