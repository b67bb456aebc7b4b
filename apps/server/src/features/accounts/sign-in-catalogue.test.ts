import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as api from '@lavra/api';
import { signedInAccount, type TestAccount } from '../../testing/accounts.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';

/** Section 8, "Sign-in and registration", as a client that was written from the specification alone meets it. */
describe('the catalogue of sign-in and registration', () => {
  let app: TestApp;
  let open: TestApp;
  let ana: TestAccount;
  before(async () => {
    app = await startTestApp();
    ana = await signedInAccount(app, { email: 'ana@exemplo.com.br' });
    open = await startTestApp({ config: { enumerationProtection: false } });
    await signedInAccount(open, { email: 'ana@exemplo.com.br' });
  });
  after(() => Promise.all([app.close(), open.close()]));

  const portuguese = { 'accept-language': 'pt-BR' };
  const refusal = async (asked: ReturnType<TestApp['call']>) => {
    const { status, raw } = await asked;
    const { errorKey, message, detail } = raw.json<{ errorKey: string; message: string; detail: string }>();
    return { status, errorKey, message, detail };
  };
  const enter = (where: TestApp, username: string) =>
    where.call(api.authenticate, { body: { username, password: 'Errada123' }, headers: portuguese });

  it('invalid credentials gives loginNotFound', async () => {
    const detail = 'Falha ao logar! Por favor verifique suas credenciais e tente novamente.';
    for (const username of ['ninguem@exemplo.com.br', ana.email])
      assert.deepEqual(await refusal(enter(app, username)), {
        status: 401,
        errorKey: 'loginNotFound',
        message: 'account.loginNotFound',
        detail,
      });
  });

  it('wrong password gives wrongPassword, where the installation tells the two apart', async () => {
    const { status, errorKey } = await refusal(enter(open, ana.email));
    assert.deepEqual([status, errorKey], [401, 'wrongPassword']);
    assert.equal((await refusal(enter(open, 'ninguem@exemplo.com.br'))).errorKey, 'loginNotFound');
  });

  it('e-mail already in use gives userexists', async () => {
    const body = { firstName: 'Outra', login: ana.email, email: ana.email, password: 'Caderno45', langKey: 'pt-br' } as const;
    const { status, errorKey } = await refusal(app.call(api.register, { body }));
    assert.deepEqual([status, errorKey], [400, 'userexists']);
  });

  it('any other registration’s refusal is told by its own key', async () => {
    const body = { firstName: 'Outra', login: 'x', email: 'sem-arroba', password: 'Caderno45', langKey: 'pt-br' } as const;
    assert.equal((await refusal(app.call(api.register, { body }))).errorKey, 'account.emailInvalid');
  });

  it('change password: 400 with message Incorrect password', async () => {
    const body = { currentPassword: 'Errada123', newPassword: 'Caderno45' };
    const { status, message } = await refusal(app.call(api.changePassword, { token: ana.token, body }));
    assert.deepEqual([status, message], [400, 'Incorrect password']);
  });

  it('a new password is asked for with 200, whoever asks and in both forms of the body', async () => {
    for (const body of [ana.email, { email: ana.email }, 'ninguem@exemplo.com.br'])
      assert.equal((await app.call(api.requestPasswordReset, { body })).status, 200);
  });

  it('getIdUserLogged and getEmailUserLogged answer the logged-in e-mail', async () => {
    const { token } = ana;
    const answers = [await app.call(api.getIdUserLogged, { token }), await app.call(api.getEmailUserLogged, { token })];
    assert.deepEqual(
      answers.map(({ body }) => body),
      [ana.email, ana.email],
    );
  });
});
