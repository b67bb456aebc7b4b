import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import * as api from '@lavra/api';
import { type IdentityPerson, identityPeople, signInAt } from '@lavra/make-believe';
import { type Browser, callFrom, type IdentityTestApp, newBrowser, startIdentityTestApp } from '../../../testing/identities.ts';

const [first] = identityPeople;
assert.ok(first);

type Mutable = { -readonly [Key in keyof IdentityPerson]: IdentityPerson[Key] };
const somebody = (id: string, given: Partial<IdentityPerson> = {}): Mutable => ({
  ...first,
  id,
  email: `${id}@empresa.com.br`,
  roles: ['user', 'entra', 'cria'],
  ...given,
});

describe('single sign-on mode', () => {
  let app: IdentityTestApp;
  const people: Mutable[] = [];
  before(async () => {
    const permissionRoles = { LOGIN: 'entra', CREATE_PROCESS: 'cria' };
    app = await startIdentityTestApp({ people, config: { sso: { provider: 'empresa', permissionRoles } } });
  });
  after(() => app.close());
  beforeEach(async () => {
    people.splice(0, people.length, somebody('ana'), somebody('bia', { roles: ['admin', 'entra'] }));
    app.world.behaviour.down = false;
    app.clock.set(new Date());
    await app.ctx.db.deleteFrom('session').execute();
    await app.ctx.db.deleteFrom('known_device').execute();
    await app.ctx.db.deleteFrom('app_user').execute();
  });

  async function goOut(browser: Browser, person: string): Promise<string> {
    const { status, code, body } = await callFrom(app, browser, api.beginSingleSignOn);
    assert.equal(status, 200, code);
    return new URL(await signInAt(body.url, person)).search;
  }
  async function enter(browser: Browser, person: string) {
    return callFrom(app, browser, api.finishSingleSignOn, { body: { query: await goOut(browser, person) } });
  }
  async function entered(browser: Browser, person: string): Promise<string> {
    const { status, code, body } = await enter(browser, person);
    assert.equal(status, 200, code);
    return body.id_token;
  }
  const refresh = (browser: Browser, token: string) => callFrom(app, browser, api.refreshSession, { token });
  const account = async (token: string) => (await app.call(api.getAccount, { token })).body;
  const rows = async (table: 'app_user' | 'account_identity' | 'session' | 'sso_session') =>
    (await app.ctx.db.selectFrom(table).selectAll().execute()).length;
  const told = () => app.world.asked.filter((request) => request === 'POST /empresa/token').length;

  it('says so, and refuses every call of own accounts and of the other providers', async () => {
    const { body: info } = await app.call(api.getManagementInfo);
    assert.deepEqual([info.ssoEnabled, info.socialProviders, info.firstAccount], [true, [], false]);
    const credentials = { username: 'ana@empresa.com.br', password: 'Senha123' };
    const registration = { firstName: 'Ana', login: 'ana@empresa.com.br', email: 'ana@empresa.com.br', password: 'Senha123' };
    for (const { status, code } of [
      await app.call(api.authenticate, { body: credentials }),
      await app.call(api.register, { body: registration }),
      await app.call(api.requestPasswordReset, { body: 'ana@empresa.com.br' }),
      await app.call(api.beginSocialSignIn, { body: { provider: 'google' } }),
      await app.call(api.users.create, { body: { email: 'eva@empresa.com.br', firstName: 'Eva', langKey: 'pt-br', authorities: [] } }),
      await app.call(api.resendActivation, { params: { id: crypto.randomUUID() } }),
    ])
      assert.deepEqual([status, code], [409, 'account.singleSignOn']);
  });

  it('makes the account of whoever the provider vouches for: admin is ROLE_ADMIN, and anyone has ROLE_USER', async () => {
    const ana = await account(await entered(newBrowser(), 'ana'));
    assert.deepEqual([ana.email, ana.authorities, ana.loginType, ana.activated], ['ana@empresa.com.br', ['ROLE_USER'], 'empresa', true]);
    const bia = await account(await entered(newBrowser(), 'bia'));
    assert.deepEqual(bia.authorities, ['ROLE_USER', 'ROLE_ADMIN']);
    assert.equal((await account(await entered(newBrowser(), 'ana'))).id, ana.id, 'the same the next time');
  });

  it('keeps the name and the address the provider’s: the settings change language and time zone', async () => {
    const token = await entered(newBrowser(), 'ana');
    const { firstName, lastName } = await account(token);
    const save = (more: { email?: string; currentPassword?: string }) =>
      app.call(api.saveAccount, {
        token,
        body: { firstName: 'Outra', lastName: 'Pessoa', langKey: 'es', timeZone: 'America/Manaus', ...more },
      });
    assert.equal((await save({})).status, 204);
    const { langKey, timeZone, ...now } = await account(token);
    assert.deepEqual([now.firstName, now.lastName, langKey, timeZone], [firstName, lastName, 'es', 'America/Manaus']);
    assert.equal((await save({ email: 'outra@exemplo.com.br', currentPassword: 'Senha123' })).code, 'account.emailOfProvider');
  });

  it('takes LOGIN to enter and CREATE_PROCESS to create, by the roles that are named for them', async () => {
    const token = await entered(newBrowser(), 'bia');
    const may = async (actionFlowWebType: 'LOGIN' | 'CREATE_PROCESS') =>
      (await app.call(api.hasPermission, { token, query: { actionFlowWebType } })).body;
    assert.deepEqual([await may('LOGIN'), await may('CREATE_PROCESS')], [true, false]);
    const body = { title: 'Contrato', dueDate: null, reminderIn: null, type: 'ELETRONIC_SIGNATURE' as const, files: [] };
    const headers = { 'idempotency-key': crypto.randomUUID() };
    assert.equal((await app.call(api.createSignatureProcess, { token, headers, body })).code, 'permission.createProcess');
    people.push(somebody('carla', { roles: ['user', 'cria'] }));
    const { status, code } = await enter(newBrowser(), 'carla');
    assert.deepEqual([status, code], [403, 'permission.login']);
    assert.deepEqual([await rows('app_user'), await rows('session')], [1, 1], 'nothing is made of her');
  });

  it('takes CREATE_PROCESS away from whom a suspended contract covers, and nothing else; the call that creates says why', async () => {
    const [token, admin] = [await entered(newBrowser(), 'ana'), await entered(newBrowser(), 'bia')];
    const may = async (actionFlowWebType: 'LOGIN' | 'CREATE_PROCESS') =>
      (await app.call(api.hasPermission, { token, query: { actionFlowWebType } })).body;
    const contract = { validity: '2099-01-31T15:00:00.000Z', applicationUsers: { id: (await account(token)).id } };
    const { body: made } = await app.call(api.contracts.create, { token: admin, body: contract });
    assert.equal(await may('CREATE_PROCESS'), true);
    await app.call(api.contracts.update, { token: admin, params: { id: made.id }, body: { ...contract, suspended: true } });
    assert.deepEqual([await may('LOGIN'), await may('CREATE_PROCESS')], [true, false]);
    const body = { title: 'Contrato', dueDate: null, reminderIn: null, type: 'ELETRONIC_SIGNATURE' as const, files: [] };
    assert.equal((await app.call(api.createSignatureProcess, { token, body })).code, 'process.contractSuspended');
    assert.equal((await app.call(api.contracts.remove, { token: admin, params: { id: made.id } })).status, 204);
  });

  it('opens no account for an address that is not verified, or for an answer that is handed in twice or in another browser', async () => {
    people.push(somebody('davi', { emailVerified: false }));
    assert.equal((await enter(newBrowser(), 'davi')).code, 'identity.emailUnverified');
    const browser = newBrowser();
    const query = await goOut(browser, 'ana');
    const hand = (from: Browser) => callFrom(app, from, api.finishSingleSignOn, { body: { query } });
    assert.equal((await hand(newBrowser())).code, 'identity.signInUnknown');
    assert.equal((await hand(browser)).status, 200);
    assert.equal((await hand(browser)).code, 'identity.signInUsed');
    assert.deepEqual([await rows('app_user'), await rows('session')], [1, 1]);
  });

  it('opens no account of whoever had an address before it changed hands at the provider', async () => {
    const token = await entered(newBrowser(), 'ana');
    people.push(somebody('outra', { email: 'ana@empresa.com.br' }));
    const { status, code } = await enter(newBrowser(), 'outra');
    assert.deepEqual([status, code], [409, 'identity.otherPerson']);
    assert.equal((await app.call(api.getAccount, { token })).status, 200);
  });

  it('does not enter an account that an administrator has deactivated', async () => {
    const { id } = await account(await entered(newBrowser(), 'ana'));
    const shut = { activated: false, was_activated: true, deactivated_at: app.clock.now() };
    await app.ctx.db.updateTable('app_user').set(shut).where('id', '=', id).execute();
    assert.equal((await enter(newBrowser(), 'ana')).code, 'account.deactivated');
  });

  it('holds no session that was opened in the other mode', async () => {
    const token = await entered(newBrowser(), 'ana');
    await app.ctx.db.updateTable('session').set({ single_sign_on: false }).execute();
    assert.equal((await callFrom(app, newBrowser(), api.getAccount, { token })).status, 401);
  });

  it('asks the provider again within the last minute, and follows its roles, name and address', async () => {
    const browser = newBrowser();
    const token = await entered(browser, 'bia');
    const before = told();
    app.clock.advance({ minutes: 3 });
    assert.equal((await refresh(browser, token)).status, 200);
    assert.equal(told(), before, 'there is time left');
    app.clock.advance({ seconds: 61 });
    Object.assign(people[1] ?? {}, { roles: ['user', 'entra', 'cria'], familyName: 'Nova', email: 'beatriz@empresa.com.br' });
    const { status, body } = await refresh(browser, token);
    assert.equal(status, 200);
    assert.equal(told(), before + 1);
    const bia = await account(body.id_token);
    assert.deepEqual([bia.authorities, bia.lastName, bia.email], [['ROLE_USER'], 'Nova', 'beatriz@empresa.com.br']);
    const query = { actionFlowWebType: 'CREATE_PROCESS' as const };
    assert.equal((await app.call(api.hasPermission, { token: body.id_token, query })).body, true);
  });

  it('asks once for all who ask at the same time: a refresh token is good once', async () => {
    const browser = newBrowser();
    const token = await entered(browser, 'ana');
    app.clock.advance({ minutes: 4, seconds: 30 });
    const before = told();
    const cookies = new Map(browser.cookies);
    const answers = await Promise.all([1, 2, 3].map(() => refresh({ cookies: new Map(cookies) }, token)));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200],
    );
    assert.equal(told(), before + 1);
  });

  it('ends with the provider’s session, or with the role that lets people in', async () => {
    for (const [person, end] of [
      ['ana', () => void people.shift()],
      ['bia', () => Object.assign(people.find(({ id }) => id === 'bia') ?? {}, { roles: ['admin'] })],
    ] as const) {
      const browser = newBrowser();
      const token = await entered(browser, person);
      app.clock.advance({ minutes: 4, seconds: 30 });
      end();
      assert.equal((await refresh(browser, token)).status, 401, person);
      assert.equal((await callFrom(app, browser, api.getAccount, { token })).status, 401, person);
      assert.equal(await rows('sso_session'), 0, 'its tokens are forgotten');
      app.clock.set(new Date());
    }
  });

  it('outlasts a provider that is away for as long as it vouched, and no longer', async () => {
    const browser = newBrowser();
    const token = await entered(browser, 'ana');
    app.clock.advance({ minutes: 4, seconds: 30 });
    app.world.behaviour.down = true;
    assert.deepEqual(
      [(await refresh(browser, token)).status, (await callFrom(app, browser, api.getAccount, { token })).status],
      [503, 200],
    );
    app.clock.advance({ seconds: 31 });
    const late = await app.installation.app.inject({ url: '/api/account', headers: { authorization: `Bearer ${token}` } });
    assert.equal(late.statusCode, 401);
    app.world.behaviour.down = false;
    assert.equal((await refresh(browser, token)).status, 200, 'it is asked again when it is back');
  });

  it('signs out here and says where the provider ends its own session; who leaves is told only in their own browser', async () => {
    const browser = newBrowser();
    const token = await entered(browser, 'ana');
    const leave = async (from: Browser) => new URL((await callFrom(app, from, api.leaveSingleSignOn, { token })).body.url ?? '');
    const strange = await leave(newBrowser());
    assert.equal(strange.searchParams.get('id_token_hint'), null);
    assert.equal((await callFrom(app, browser, api.getAccount, { token })).status, 200);
    const url = await leave(browser);
    assert.ok(url.href.startsWith(`${app.world.issuers.empresa.issuer}/session/end?`));
    assert.ok(url.searchParams.get('id_token_hint'));
    assert.equal(url.searchParams.get('post_logout_redirect_uri'), `${app.ctx.publicUrl}/`);
    assert.equal((await callFrom(app, browser, api.getAccount, { token })).status, 401);
    assert.equal(await rows('sso_session'), 0);
  });
});
