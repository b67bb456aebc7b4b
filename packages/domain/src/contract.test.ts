import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkedContract, isContractSuspended, paymentTypeOf } from './contract.ts';
import { DomainError } from './errors.ts';

const validity = '2027-01-31T15:00:00Z';

describe('a contract', () => {
  it('has the type with id 1 where none is chosen, is monthly where nothing is, and is not stopped', () => {
    assert.deepEqual(checkedContract({ validity }), {
      validity: new Date(validity),
      paymentType: 'MONTHLY',
      storageRetentionTime: null,
      contractTypeId: 1,
    });
    assert.equal(checkedContract({ validity, contractType: {} }).contractTypeId, 1);
  });

  it('is monthly with the select’s 1 or blank, yearly with the other', () => {
    assert.deepEqual(['', ' ', null, undefined, 1, '1', 'MONTHLY'].map(paymentTypeOf), Array(7).fill('MONTHLY'));
    assert.deepEqual([2, '2', 'YEARLY'].map(paymentTypeOf), Array(3).fill('YEARLY'));
    assert.throws(() => paymentTypeOf('DAILY'), new DomainError('contract.paymentTypeInvalid', { field: 'paymentType' }));
  });

  it('lasts until an instant that the calendar has', () => {
    for (const text of [
      '',
      'amanhã',
      '31/01/2027',
      '2027-02-29T00:00:00Z',
      '2027-01-31T25:00:00Z',
      '1999-12-31T23:59:59Z',
      '2027-13-01T00:00:00Z',
    ])
      assert.throws(() => checkedContract({ validity: text }), new DomainError('contract.validityInvalid', { field: 'validity' }), text);
    for (const [text, iso] of [
      ['2028-02-29T12:00:00-03:00', '2028-02-29T15:00:00.000Z'],
      ['2027-01-31T15:00Z', '2027-01-31T15:00:00.000Z'],
    ] as const)
      assert.equal(checkedContract({ validity: text }).validity.toISOString(), iso);
  });

  it('keeps files for a whole number of days, or says nothing of it', () => {
    assert.equal(checkedContract({ validity, storageRetentionTime: ' 365 ' }).storageRetentionTime, 365);
    for (const storageRetentionTime of ['0', '-1', '1,5', 'um ano', '36501'])
      assert.throws(() => checkedContract({ validity, storageRetentionTime }), { code: 'company.retentionInvalid' });
  });

  it('is suspended from the instant its validity has passed, or as long as somebody stopped it', () => {
    const now = new Date(validity);
    const before = new Date(now.getTime() - 1);
    assert.equal(isContractSuspended({ validity: now, suspended: false }, before), false);
    assert.equal(isContractSuspended({ validity: now, suspended: false }, now), true);
    assert.equal(isContractSuspended({ validity: now, suspended: true }, before), true);
  });
});
