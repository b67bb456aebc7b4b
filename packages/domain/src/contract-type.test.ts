import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkedContractType, contractQuotas } from './contract-type.ts';

describe('a contract type', () => {
  it('has quotas that are numbers entered as text, or blank for no limit', () => {
    const checked = checkedContractType({ name: ' Plano  Ouro ', documents: ' 0100 ', storage: '', eletronicSignatures: null });
    assert.deepEqual(checked, {
      name: 'Plano Ouro',
      documents: 100,
      digitalSignatures: null,
      eletronicSignatures: null,
      storage: null,
      accountUsersLimit: null,
    });
  });

  it('needs a name of 50 characters at most', () => {
    assert.throws(() => checkedContractType({ name: ' ' }), { code: 'record.nameRequired' });
    assert.throws(() => checkedContractType({ name: 'a'.repeat(51) }), { code: 'record.nameTooLong' });
    assert.equal(checkedContractType({ name: 'á'.repeat(50) }).name.length, 50);
  });

  for (const quota of contractQuotas) {
    it(`refuses what is no quota, beside its field: ${quota}`, () => {
      for (const text of ['-1', '1.5', '1,000', '1e3', 'dez', '1234567890', '١']) {
        assert.throws(() => checkedContractType({ name: 'Plano', [quota]: text }), { code: 'record.quantityInvalid', field: quota });
      }
    });
  }
});
