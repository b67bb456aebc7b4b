import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import * as api from '@lavra/api';
import { identityPeople, signInAt } from '@lavra/make-believe';
import { TOTP } from 'otpauth';
import { registeredAccount, signedInAccount } from '../../../testing/accounts.ts';
import {
  beginAt,
  callFrom,
  comeBack,
  enterThrough,
  type IdentityTestApp,
  newBrowser,
  startIdentityTestApp,
} from '../../../testing/identities.ts';

const [ana, carlos] = identityPeople;
assert.ok(ana?.email && carlos?.email);

/** What nobody may leave behind. */
async function made(app: IdentityTestApp) {
  const count = async (table: 'app_user' | 'account_identity' | 'session') =>
    Number(
      (
        await app.ctx.db
          .selectFrom(table)
          .select((e) => e.fn.countAll().as('rows'))
          .executeTakeFirstOrThrow()
      ).rows,
    );
  return { accounts: await count('app_user'), identities: await count('account_identity'), sessions: await count('session') };
}

describe('signing in through a provider', () => {
  let app: IdentityTestApp;
  before(async () => {
    app = await startIdentityTestApp();
    await signedInAccount(app, { email: 'primeira@exemplo.com.br' });
  });
  after(() => app.close());
  beforeEach(async () => {
    for (const table of ['session', 'known_device', 'account_key', 'account_limit'] as const) await app.ctx.db.deleteFrom(table).execute();
    await app.ctx.db.deleteFrom('app_user').where('email', '!=', 'primeira@exemplo.com.br').execute();
  });
  const account = async (token: string | null) => (await app.call(api.getAccount, { token: token ?? '' })).body;

  it('makes no account by itself: what the provider said is shown, and registerSocial makes it, active and signed in', async () => {
    const browser = newBrowser();
    const { status, body } = await enterThrough(app, browser, 'google', 'ana');
    assert.equal(status, 200);
    assert.deepEqual(body, {
      id_token: null,
      secondStep: null,
      rememberMe: false,
      registration: { uid: 'ana', email: ana.email, name: 'Ana Beatriz Conceição', provider: 'Google' },
    });
    assert.deepEqual(await made(app), { accounts: 1, identities: 0, sessions: 0 });
    // The specification's own payload: name, uid, e-mail, password, language.
    const registered = await callFrom(app, browser, api.registerSocial, {
      body: { username: ana.email ?? '', uid: 'ana', email: ana.email ?? '', password: 'Ipê-roxo-31', locale: 'en' },
    });
    assert.equal(registered.status, 200);
    assert.equal(registered.headers['authorization'], `Bearer ${registered.body.id_token}`);
    const made_ = await account(registered.body.id_token);
    assert.deepEqual(
      [made_.email, made_.firstName, made_.lastName, made_.loginType, made_.langKey, made_.activated, made_.authorities],
      [ana.email, 'Ana Beatriz', 'Conceição', 'google', 'en', true, ['ROLE_USER']],
    );
    const password = await app.call(api.authenticate, { body: { username: ana.email ?? '', password: 'Ipê-roxo-31' } });
    assert.equal(password.code, 'account.loginNotFound', 'the payload’s password is none');
  });

  it('has no password to reset: who asks for one is told by mail which provider opens it, and gets no key', async () => {
    const browser = newBrowser();
    await enterThrough(app, browser, 'google', 'ana');
    await callFrom(app, browser, api.registerSocial, { body: {} });
    assert.equal((await app.call(api.requestPasswordReset, { body: ana.email ?? '' })).status, 200);
    await app.runJobs();
    const told = (await app.mailbox.list()).filter(({ to, subject }) => to === ana.email && subject.includes('não tem senha'));
    assert.equal(told.length, 1);
    assert.match(told[0]?.text ?? '', /abre com Google/);
    assert.doesNotMatch(told[0]?.text ?? '', /key=/);
    assert.deepEqual(await app.ctx.db.selectFrom('account_key').selectAll().execute(), []);
  });

  it('opens the same account the next time, in any browser, remembered when asked', async () => {
    const first = newBrowser();
    await enterThrough(app, first, 'empresa', 'carlos');
    await callFrom(app, first, api.registerSocial, { body: {} });
    const second = newBrowser();
    const back = await signInAt(await beginAt(app, second, 'empresa', true), 'carlos');
    const { body, headers } = await comeBack(app, second, 'empresa', back);
    assert.deepEqual([body.registration, body.rememberMe, headers['authorization']], [null, true, `Bearer ${body.id_token}`]);
    assert.equal((await account(body.id_token)).email, carlos.email);
    assert.equal((await made(app)).accounts, 2);
    const [session] = await app.ctx.db
      .selectFrom('session')
      .select('expires_at')
      .orderBy('created_at', 'desc')
      .orderBy('expires_at', 'desc')
      .execute();
    assert.equal(session?.expires_at.getTime(), app.clock.now().getTime() + 30 * 86_400_000);
  });

  it('is bound to the account of an address that the provider has verified, which is told so by mail', async () => {
    const { id } = await signedInAccount(app, { email: ana.email ?? '', firstName: 'Ana' });
    const { body } = await enterThrough(app, newBrowser(), 'google', 'ana');
    const entered = await account(body.id_token);
    assert.deepEqual([entered.id, entered.loginType], [id, 'password'], 'its password goes on to open it');
    await app.runJobs();
    const [mail] = (await app.mailbox.list()).filter(({ to }) => to === ana.email);
    assert.match(mail?.subject ?? '', /agora também abre com Google/);
    const audited = await app.ctx.db.selectFrom('audit_event').select(['kind', 'reason']).where('account_id', '=', id).execute();
    assert.ok(audited.some(({ kind, reason }) => kind === 'account.linked' && reason === 'google'));
    assert.ok(audited.some(({ kind, reason }) => kind === 'session.opened' && reason === 'provider'));
  });

  it('is listed and unbound by its holder: it opens the account no more, until they bind it again', async () => {
    const { id, token: password, password: secret } = await signedInAccount(app, { email: ana.email ?? '', firstName: 'Ana' });
    const entered = (await enterThrough(app, newBrowser(), 'google', 'ana')).body.id_token ?? '';
    const { body } = await app.call(api.listAccountIdentities, { token: password });
    assert.deepEqual(
      body.identities.map(({ provider, unboundDate }) => [provider, unboundDate]),
      [['Google', null]],
    );
    const params = { id: body.identities[0]?.id ?? '' };
    const change = (call: typeof api.unbindIdentity | typeof api.rebindIdentity, proof: api.Proof) =>
      app.call(call, { token: password, params, body: { proof } });
    assert.equal((await change(api.unbindIdentity, {})).code, 'request.invalid');
    assert.equal((await change(api.unbindIdentity, { password: 'Errada123' })).code, 'account.incorrectPassword');
    assert.equal((await change(api.unbindIdentity, { password: secret })).status, 204);
    assert.equal((await app.call(api.getAccount, { token: entered })).status, 401, 'what came in through it is ended');
    const refused = await enterThrough(app, newBrowser(), 'google', 'ana');
    assert.deepEqual([refused.status, refused.code], [409, 'identity.unbound']);
    assert.equal((await change(api.unbindIdentity, { password: secret })).status, 204);
    assert.equal((await change(api.rebindIdentity, { password: secret })).status, 204);
    const again = (await enterThrough(app, newBrowser(), 'google', 'ana')).body.id_token;
    assert.equal((await account(again)).id, id);
    await app.runJobs();
    const told = (await app.mailbox.list()).filter(({ to, subject }) => to === ana.email && /não abre mais com Google/.test(subject));
    assert.equal(told.length, 1, 'once, however often it is asked for');
  });

  it('opens nothing that waited for its second step when it was unbound', async () => {
    const { token, password } = await signedInAccount(app, { email: ana.email ?? '', firstName: 'Ana' });
    await enterThrough(app, newBrowser(), 'google', 'ana');
    const { body: shown } = await app.call(api.beginTotp, { token, body: { proof: { password } } });
    const codeOf = (steps: number) =>
      new TOTP({ secret: shown.secret }).generate({ timestamp: app.clock.now().getTime() + steps * 30_000 });
    assert.equal((await app.call(api.confirmTotp, { token, body: { code: codeOf(-1) } })).status, 200);
    const browser = newBrowser();
    const { body } = await enterThrough(app, browser, 'google', 'ana');
    const { body: own } = await app.call(api.listAccountIdentities, { token });
    const params = { id: own.identities[0]?.id ?? '' };
    assert.equal((await app.call(api.unbindIdentity, { token, params, body: { proof: { password } } })).status, 204);
    const finished = await callFrom(app, browser, api.finishSignIn, {
      body: { challenge: body.secondStep?.challenge ?? '', code: codeOf(0) },
    });
    assert.equal(finished.code, 'identity.unbound');
  });

  it('is never unbound as the last way in; where another provider stays, that one’s word is the account’s from then on', async () => {
    const browser = newBrowser();
    await enterThrough(app, browser, 'google', 'ana');
    const { body: made } = await callFrom(app, browser, api.registerSocial, { body: {} });
    const token = made.id_token ?? '';
    const unbind = async () => {
      const { body } = await app.call(api.listAccountIdentities, { token });
      const params = { id: body.identities.find(({ provider }) => provider === 'Google')?.id ?? '' };
      return app.call(api.unbindIdentity, { token, params, body: { proof: {} } });
    };
    const refused = await unbind();
    assert.deepEqual([refused.status, refused.code], [409, 'account.lastWayIn']);
    assert.equal((await enterThrough(app, newBrowser(), 'google', 'ana')).status, 200);
    const at = app.clock.now();
    const { id: userId } = await app.ctx.db
      .selectFrom('app_user')
      .select('id')
      .where('email', '=', ana.email ?? '')
      .executeTakeFirstOrThrow();
    const other = { subject: 'ana', user_id: userId, linked_at: at, last_used_at: at };
    await app.ctx.db
      .insertInto('account_identity')
      .values({ ...other, issuer: 'https://longe.exemplo', provider: 'nenhum' })
      .execute();
    assert.equal((await unbind()).code, 'account.lastWayIn', 'a provider that is configured no more opens nothing');
    await app.ctx.db
      .insertInto('account_identity')
      .values({ ...other, issuer: 'https://gov.exemplo', provider: 'govbr' })
      .execute();
    assert.equal((await unbind()).status, 204);
    assert.equal((await account(token)).loginType, 'govbr');
  });

  it('is not bound to an account that somebody registered with the address and nobody confirmed: that one is replaced', async () => {
    const planted = { firstName: 'Outra Pessoa', login: ana.email ?? '', email: ana.email ?? '', password: 'Planta-37x' };
    await app.call(api.register, { body: planted });
    const browser = newBrowser();
    const { body } = await enterThrough(app, browser, 'google', 'ana');
    assert.equal(body.id_token, null);
    const registered = await callFrom(app, browser, api.registerSocial, { body: {} });
    assert.equal((await account(registered.body.id_token)).firstName, 'Ana Beatriz');
    const stranger = await app.call(api.authenticate, { body: { username: planted.email, password: planted.password } });
    assert.equal(stranger.code, 'account.loginNotFound');
  });

  it('opens no account that an administrator has deactivated, be the identity bound to it or not', async () => {
    const { id } = await signedInAccount(app, { email: ana.email ?? '' });
    const shut = { activated: false, was_activated: true, deactivated_at: app.clock.now() };
    await app.ctx.db.updateTable('app_user').set(shut).where('id', '=', id).execute();
    const before = await made(app);
    const { status, code } = await enterThrough(app, newBrowser(), 'google', 'ana');
    assert.deepEqual([status, code], [401, 'account.deactivated']);
    assert.deepEqual(await made(app), before);
  });

  it('stays bound to the person, whatever address the provider names later', async () => {
    const browser = newBrowser();
    await enterThrough(app, browser, 'google', 'ana');
    const { body } = await callFrom(app, browser, api.registerSocial, { body: {} });
    const { id } = await account(body.id_token);
    await app.ctx.db.updateTable('app_user').set({ email: 'outro@exemplo.com.br' }).where('id', '=', id).execute();
    await registeredAccount(app, { email: ana.email ?? '', firstName: 'Homônima', password: 'Ipê-roxo-31', langKey: 'pt-br' });
    const again = await enterThrough(app, newBrowser(), 'google', 'ana');
    assert.equal((await account(again.body.id_token)).id, id);
  });

  it('makes one account of two registrations at once', async () => {
    const browser = newBrowser();
    await enterThrough(app, browser, 'google', 'ana');
    const both = await Promise.all([1, 2].map(() => callFrom(app, browser, api.registerSocial, { body: {} })));
    // The other one comes while what was vouched for is being taken, or when it is gone already.
    const refused = both.filter(({ status }) => status !== 200).map(({ code }) => code);
    assert.equal(refused.length, 1);
    assert.ok(['identity.signInUsed', 'identity.signInUnknown'].includes(refused[0] ?? ''), refused[0]);
    assert.deepEqual([(await made(app)).accounts, (await made(app)).identities], [2, 1]);
  });

  it('is offered by its buttons’ names, in the order of the configuration', async () => {
    const { body } = await app.call(api.getManagementInfo);
    assert.deepEqual(
      body.socialProviders.map(({ id, name }) => [id, name]),
      [
        ['google', 'Google'],
        ['govbr', 'gov.br'],
        ['empresa', 'Empresa'],
      ],
    );
  });
});

describe('the first account of an installation', () => {
  it('may come through a provider, and is its administrator’s', async () => {
    const app = await startIdentityTestApp();
    const browser = newBrowser();
    await enterThrough(app, browser, 'google', 'ana');
    const { body } = await callFrom(app, browser, api.registerSocial, { body: {} });
    const account = await app.call(api.getAccount, { token: body.id_token ?? undefined });
    await app.close();
    assert.deepEqual(account.body.authorities, ['ROLE_USER', 'ROLE_ADMIN']);
  });

  it('needs in production the key that the start printed, and without it none is made', async () => {
    const app = await startIdentityTestApp({ config: { profile: 'prod' } });
    const browser = newBrowser();
    await enterThrough(app, browser, 'google', 'ana');
    const { code } = await callFrom(app, browser, api.registerSocial, { body: {} });
    const left = await made(app);
    await app.close();
    assert.equal(code, 'account.firstKeyRequired');
    assert.deepEqual(left, { accounts: 0, identities: 0, sessions: 0 });
  });
});
