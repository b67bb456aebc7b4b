import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { DomainError } from '@lavra/domain';
import { startTestApp, type TestApp } from '../testing/app.ts';
import { countAttempt, limitRateByAddress } from './rate-limit.store.ts';

describe('a limit by address', () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp();
  });
  after(() => app.close());

  const passes = async (name: string, addresses: readonly string[], limit: number) => {
    let passed = 0;
    for (const address of addresses)
      await limitRateByAddress(app.ctx, name, address, limit, 900).then(
        () => (passed += 1),
        (error: unknown) => assert.ok(error instanceof DomainError && error.code === 'request.tooMany', String(error)),
      );
    return passed;
  };

  it('is not passed by other addresses of the same /64', async () => {
    const neighbours = Array.from({ length: 12 }, (_, index) => `2001:db8:1:2::${index.toString(16)}`);
    assert.equal(await passes('requisition', neighbours, 5), 5);
    assert.equal(await passes('requisition', ['2001:db8:1:3::1'], 5), 1);
  });

  it('is not passed for ever by other networks of the same /48', async () => {
    const networks = Array.from({ length: 50 }, (_, index) => `2001:db8:5:${index.toString(16)}::1`);
    assert.equal(await passes('verify', networks, 5), 40);
    assert.equal(await passes('verify', ['2001:db8:6::1'], 5), 1);
  });

  it('counts IPv4 whole, and the same written as IPv6', async () => {
    assert.equal(await passes('psc-address', ['203.0.113.1', '::ffff:203.0.113.1', '::ffff:cb00:7101', '203.0.113.2'], 2), 3);
  });

  it('that guards accounts is kept in a table that outlives a crash of the database', async () => {
    await countAttempt(app.ctx, 'login-account', 'ana@exemplo.com.br', 900);
    await countAttempt(app.ctx, 'register', '203.0.113.1', 900);
    const kept = await app.ctx.db.selectFrom('account_limit').select('bucket').execute();
    assert.deepEqual(kept.map(({ bucket }) => bucket.split(':')[0]).toSorted(), ['login-account', 'register']);
  });
});
