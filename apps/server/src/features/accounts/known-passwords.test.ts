import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import * as api from '@lavra/api';
import { mailedKey, signedInAccount, type TestAccount } from '../../testing/accounts.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { isKnownPassword } from './known-passwords.ts';

describe('a known password', () => {
  let app: TestApp;
  let ana: TestAccount;
  before(async () => {
    app = await startTestApp();
    ana = await signedInAccount(app, { email: 'ana@exemplo.com.br' });
  });
  after(() => app.close());

  it('is one of the hundred thousand most used, whatever its case, or what everybody here takes', async () => {
    for (const known of ['Password1', 'passWord1', 'Senha123', 'Qwerty123', 'P@ssw0rd', 'Usuckballz1', 'Trustno1', 'Abc123'])
      assert.equal(await isKnownPassword(known), true, known);
    for (const ours of ['Mudar123', 'Brasil2026', 'Flamengo@10', '10Corinthians', 'SENHa#77'])
      assert.equal(await isKnownPassword(ours), true, ours);
    for (const good of ['Tinteiro7', 'Caderno45', 'Brasileirinho7']) assert.equal(await isKnownPassword(good), false, good);
  });

  it('is not found in what nobody chose', async () => {
    for (let index = 0; index < 500; index += 1) {
      const random = `Aa1${randomBytes(12).toString('base64url')}`;
      assert.equal(await isKnownPassword(random), false, random);
    }
  });

  it('is refused wherever one is chosen: registration, new password by mail, change, taking an account over', async () => {
    const refused = async (asked: Promise<{ status: number; code?: string | undefined }>) => {
      const { status, code } = await asked;
      assert.deepEqual([status, code], [400, 'account.passwordKnown']);
    };
    const newPassword = 'Password1';
    const bia = { firstName: 'Bia', login: 'bia@exemplo.com.br', email: 'bia@exemplo.com.br', langKey: 'pt-br' } as const;
    await refused(app.call(api.register, { body: { ...bia, password: newPassword } }));
    await refused(app.call(api.changePassword, { token: ana.token, body: { currentPassword: ana.password, newPassword } }));
    await app.call(api.requestPasswordReset, { body: ana.email });
    await refused(app.call(api.finishPasswordReset, { body: { key: await mailedKey(app, ana.email), newPassword } }));
    await app.call(api.register, { body: { ...bia, password: 'Tinteiro7' } });
    await refused(app.call(api.confirmAccount, { body: { key: await mailedKey(app, bia.email), newPassword, firstName: 'Bia' } }));
  });
});
