import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DomainError } from './errors.ts';
import { assertWithinQuota, signatureQuota, usageAlert } from './quota.ts';

const none = { taken: 0, quota: null };

test('the usage alert starts at 80 % of the plan’s signatures, and never without a quota', () => {
  const alerts = [79, 80, 100, 120].map((taken) => usageAlert({ digital: none, electronic: { taken, quota: 100 } }));
  assert.deepEqual(
    alerts.map(({ shouldAlert, currentSignatures, planSignatures }) => [shouldAlert, currentSignatures, planSignatures]),
    [
      [false, 79, 100],
      [true, 80, 100],
      [true, 100, 100],
      [true, 120, 100],
    ],
  );
  const part = (taken: number) => usageAlert({ digital: none, electronic: { taken, quota: 10_000 } }).shouldAlert;
  assert.deepEqual([part(7_999), part(8_000)], [false, true], 'to the last signature');
  assert.deepEqual(usageAlert({ digital: { taken: 7, quota: null }, electronic: { taken: 1_000_000, quota: null } }), {
    shouldAlert: false,
    currentSignatures: 1_000_007,
    planSignatures: null,
    modality: null,
  });
});

test('the usage alert has the numbers of the kind of signature that is nearer to its end', () => {
  const uses = { digital: { taken: 9, quota: 10 }, electronic: { taken: 100, quota: 1000 } };
  assert.deepEqual(usageAlert(uses), { shouldAlert: true, currentSignatures: 9, planSignatures: 10, modality: 'digital' });
  const other = usageAlert({ ...uses, digital: { taken: 400, quota: null } });
  assert.deepEqual(other, { shouldAlert: false, currentSignatures: 100, planSignatures: 1000, modality: 'electronic' });
});

test('a plan without any signature of a kind alerts nobody who makes none', () => {
  assert.equal(usageAlert({ digital: { taken: 0, quota: 0 }, electronic: { taken: 1, quota: 100 } }).shouldAlert, false);
  assert.equal(usageAlert({ digital: { taken: 1, quota: 0 }, electronic: { taken: 1, quota: 100 } }).shouldAlert, true);
});

test('a quota takes what fits, to the last one, and refuses the rest with what is left', () => {
  fc.assert(
    fc.property(fc.nat(50), fc.nat(60), fc.integer({ min: 1, max: 20 }), (quota, taken, asked) => {
      const fits = taken + asked <= quota;
      try {
        assertWithinQuota('documents', { taken, quota }, asked);
        assert.ok(fits);
      } catch (error) {
        assert.ok(error instanceof DomainError && !fits);
        assert.deepEqual([error.code, error.params], ['contract.documentsUsedUp', { max: quota, left: Math.max(0, quota - taken), asked }]);
      }
    }),
  );
  assert.doesNotThrow(() => assertWithinQuota('documents', { taken: 1e9, quota: null }, 1));
});

test('storage is bought in megabytes and taken in bytes', () => {
  const megabyte = 1024 * 1024;
  assert.doesNotThrow(() => assertWithinQuota('storage', { taken: megabyte, quota: 2 }, megabyte));
  assert.throws(() => assertWithinQuota('storage', { taken: megabyte + 1, quota: 2 }, megabyte), {
    code: 'contract.storageUsedUp',
    params: { max: 2, left: 0, asked: 1 },
  });
});

test('signatures with certificates count in the one quota, electronic ones in the other', () => {
  assert.deepEqual([signatureQuota('digital'), signatureQuota('electronic')], ['digitalSignatures', 'eletronicSignatures']);
});
