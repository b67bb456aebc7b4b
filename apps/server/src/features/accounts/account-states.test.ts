import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as api from '@lavra/api';
import type { Person } from '../../access/actor.ts';
import { mailedKey, registeredAccount, signedInAccount, signIn, type TestAccount } from '../../testing/accounts.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { deactivateAccount } from './deactivate-account.ts';
import { reactivateAccount } from './reactivate-account.ts';

const password = 'Tinteiro7';

describe('an account that an administrator has deactivated', () => {
  let app: TestApp;
  let administrator: Person;
  let ana: TestAccount;
  before(async () => {
    app = await startTestApp();
    const { id, email, firstName } = await signedInAccount(app);
    const from = { ip: '203.0.113.9', userAgent: '', langKey: 'pt-br' } as const;
    const authorities = ['ROLE_ADMIN', 'ROLE_USER'] as const;
    administrator = { kind: 'person', userId: id, sessionId: id, email, firstName, authorities, langKey: 'pt-br', company: null, from };
    ana = await signedInAccount(app, { email: 'ana@exemplo.com.br', password });
  });
  after(() => app.close());

  const deactivate = (accountId: string) => deactivateAccount(app.ctx, administrator, { accountId });
  const reactivate = (accountId: string) => reactivateAccount(app.ctx, administrator, { accountId });
  const enter = (email: string) => app.call(api.authenticate, { body: { username: email, password } });
  const register = (email: string) =>
    app.call(api.register, { body: { firstName: 'Outra Pessoa', login: email, email, password: 'Outra456', langKey: 'pt-br' } });
  const audited = async () =>
    (await app.ctx.db.selectFrom('audit_event').select(['kind', 'outcome', 'reason']).orderBy('id').execute()).map(
      ({ kind, outcome, reason }) => `${kind} ${outcome} ${reason}`,
    );

  it('is out at once, and is told so when it shows its password, never to who does not', async () => {
    await deactivate(ana.id);
    assert.equal((await app.call(api.getAccount, { token: ana.token })).status, 401);
    const told = await enter(ana.email);
    assert.deepEqual([told.status, told.code], [401, 'account.deactivated']);
    const guessed = await app.call(api.authenticate, { body: { username: ana.email, password: 'Outra456' } });
    assert.equal(guessed.code, 'account.loginNotFound');
    const events = await audited();
    assert.ok(events.includes('account.deactivated success null'));
    assert.ok(events.includes('session.opened refused account.deactivated'));
  });

  it('is not replaced by a registration of its address', async () => {
    assert.equal((await register(ana.email)).code, 'account.userexists');
    assert.equal((await app.call(api.authenticate, { body: { username: ana.email, password: 'Outra456' } })).code, 'account.loginNotFound');
  });

  it('is not revived by a new password, be its link asked for before or after', async () => {
    await reactivate(ana.id);
    await app.call(api.requestPasswordReset, { body: ana.email });
    const key = await mailedKey(app, ana.email);
    await deactivate(ana.id);
    const finished = await app.call(api.finishPasswordReset, { body: { key, newPassword: 'Outra456' } });
    assert.deepEqual([finished.status, finished.code], [400, 'account.keyInvalid']);
    const before = (await app.mailbox.list()).length;
    assert.ok((await app.call(api.requestPasswordReset, { body: ana.email })).status < 300, 'nobody is told');
    await app.runJobs();
    assert.equal((await app.mailbox.list()).length, before);
  });

  it('is what it was when it is reactivated, and signs in anew', async () => {
    await reactivate(ana.id);
    assert.equal((await app.call(api.getAccount, { token: ana.token })).status, 401, 'its sessions stay ended');
    const token = await signIn(app, { email: ana.email, password });
    assert.equal((await app.call(api.getAccount, { token })).body.activated, true);
  });

  it('waits for its confirmation again when nobody had confirmed it, and no link of before opens it', async () => {
    await register('bia@exemplo.com.br');
    const key = await mailedKey(app, 'bia@exemplo.com.br');
    const { id } = await app.ctx.db.selectFrom('app_user').select('id').where('email', '=', 'bia@exemplo.com.br').executeTakeFirstOrThrow();
    await deactivate(id);
    assert.equal((await app.call(api.confirmAccount, { body: { key, password: 'Outra456' } })).code, 'account.keyInvalid');
    await reactivate(id);
    const told = await app.call(api.authenticate, { body: { username: 'bia@exemplo.com.br', password: 'Outra456' } });
    assert.equal(told.code, 'account.notActivated');
    // Nobody's any more: whoever registers it replaces it, as before.
    const bia = { email: 'bia@exemplo.com.br', firstName: 'Bia', password, langKey: 'pt-br' } as const;
    await registeredAccount(app, bia);
    await signIn(app, bia);
  });

  it('is shut between the look at its password and the session', async () => {
    const [entered] = await Promise.all([enter(ana.email), deactivate(ana.id)]);
    const token = entered.status === 200 ? entered.body.id_token : undefined;
    assert.equal((await app.call(api.getAccount, token === undefined ? {} : { token })).status, 401);
  });

  it('is somebody’s: an unknown one is not found', async () => {
    await assert.rejects(deactivate('00000000-0000-4000-8000-00000000dead'), { code: 'request.notFound' });
  });
});
