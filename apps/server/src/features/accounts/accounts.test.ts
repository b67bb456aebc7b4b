import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as api from '@lavra/api';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { mailedKey, registeredAccount, signIn, signedInAccount } from '../../testing/accounts.ts';

describe('accounts', () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp();
  });
  after(() => app.close());

  it('makes the first registered account the administrator, without an e-mail', async () => {
    const { status, body } = await app.call(api.register, { body: { firstName: 'Ana', login: 'ana@exemplo.com.br', email: 'ana@exemplo.com.br', password: 'Senha123' } });
    assert.equal(status, 200);
    assert.equal(body.activated, true);
    const token = await signIn(app, { email: 'ana@exemplo.com.br', password: 'Senha123' });
    const { body: account } = await app.call(api.getAccount, { token });
    assert.deepEqual(account.authorities.toSorted(), ['ROLE_ADMIN', 'ROLE_USER']);
    await app.runJobs();
    assert.equal((await app.mailbox.list()).length, 0);
  });
});
