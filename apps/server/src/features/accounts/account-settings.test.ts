import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as api from '@lavra/api';
import { mailedKey, registeredAccount, signedInAccount, signIn, type TestAccount } from '../../testing/accounts.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { startedProcess } from '../../testing/processes.ts';
import { sweepUnconfirmedJob } from './sweep-unconfirmed.job.ts';

const newPassword = 'Caderno45';

describe('the settings of an account', () => {
  let app: TestApp;
  let administrator: TestAccount;
  let count = 0;
  before(async () => {
    app = await startTestApp();
    administrator = await signedInAccount(app);
  });
  after(() => app.close());

  const fresh = () => signedInAccount(app, { email: `conta${(count += 1)}@exemplo.com.br`, firstName: 'Ana' });
  const own = async (token: string) => (await app.call(api.getAccount, { token })).body;
  const save = (token: string, change: Partial<api.Body<typeof api.saveAccount>>) =>
    app.call(api.saveAccount, { token, body: { firstName: 'Ana', lastName: '', langKey: 'pt-br', ...change } });
  const mailsTo = async (email: string) => {
    await app.runJobs();
    return (await app.mailbox.list()).filter(({ to }) => to === email);
  };

  it('save names, language and time zone', async () => {
    const { token, email } = await fresh();
    assert.equal(
      (await save(token, { firstName: ' Ana ', lastName: 'Souza', email, langKey: 'es', timeZone: 'America/Manaus' })).status,
      204,
    );
    const { firstName, lastName, langKey, timeZone } = await own(token);
    assert.deepEqual([firstName, lastName, langKey, timeZone], ['Ana', 'Souza', 'es', 'America/Manaus']);
    assert.equal((await save(token, { firstName: '' })).code, 'account.nameRequired');
    assert.equal((await save(token, { timeZone: '-03:00' })).code, 'account.timeZoneUnknown');
    assert.equal((await save(token, {})).status, 204);
    assert.equal((await own(token)).timeZone, 'America/Manaus', 'what is not said stays');
  });

  it('change the e-mail only when the new address was confirmed; the one of before is told, twice', async () => {
    const ana = await fresh();
    const email = 'ana.nova@exemplo.com.br';
    const asked = await save(ana.token, { email: ' Ana.Nova@Exemplo.com.br ', currentPassword: ana.password });
    assert.equal(asked.status, 204);
    const waiting = await own(ana.token);
    assert.deepEqual([waiting.email, waiting.login, waiting.pendingEmail], [ana.email, ana.email, email]);
    assert.equal((await app.call(api.authenticate, { body: { username: email, password: ana.password } })).status, 401);
    const key = await mailedKey(app, email);
    const confirmed = await app.call(api.confirmEmail, { token: ana.token, body: { key } });
    assert.deepEqual(confirmed.body, { email });
    const changed = await own(ana.token);
    assert.deepEqual([changed.email, changed.login, changed.pendingEmail], [email, email, null]);
    await signIn(app, { email, password: ana.password });
    assert.equal((await app.call(api.authenticate, { body: { username: ana.email, password: ana.password } })).status, 401);
    const told = (await mailsTo(ana.email)).slice(0, 2);
    assert.deepEqual(told.map(({ subject }) => subject).toSorted(), [
      'O e-mail da sua conta no Lavra mudou',
      'Pediram para trocar o e-mail da sua conta no Lavra',
    ]);
    assert.ok(
      told.every(({ text }) => !text.includes(email)),
      'whoever reads it knows the new address',
    );
    assert.equal((await app.call(api.confirmEmail, { token: ana.token, body: { key } })).code, 'account.keyInvalid', 'once');
  });

  it('bind what was sent to the new address from its confirmation on, never by asking for it', async () => {
    const ana = await fresh();
    const email = 'destino@exemplo.com.br';
    await startedProcess(app, administrator, { signers: [{ name: 'Destino', email }] });
    const received = async (token: string) => (await app.call(api.getCounterInfos, { token })).body.pending;
    await save(ana.token, { email, currentPassword: ana.password });
    // A sign-in proves the account's address, not the one that it would like to have.
    assert.equal(await received(await signIn(app, ana)), 0);
    await app.call(api.confirmEmail, { token: ana.token, body: { key: await mailedKey(app, email) } });
    assert.equal(await received(ana.token), 1);
  });

  it('take the password with a new e-mail: a session alone does not move the account', async () => {
    const ana = await fresh();
    const email = 'alheia@exemplo.com.br';
    const asked = async (given: { email: string; currentPassword?: string }) => (await save(ana.token, given)).code;
    assert.equal(await asked({ email }), 'account.passwordRequired');
    assert.equal(await asked({ email, currentPassword: 'Errada123' }), 'account.incorrectPassword');
    assert.equal(await asked({ email: 'sem-arroba', currentPassword: ana.password }), 'account.emailInvalid');
    assert.equal(await asked({ email: administrator.email, currentPassword: ana.password }), 'account.userexists');
    assert.equal((await own(ana.token)).pendingEmail, null);
    assert.equal((await mailsTo(email)).length, 0);
    for (let index = 0; index < 20; index += 1) await asked({ email, currentPassword: 'Errada123' });
    assert.equal(await asked({ email, currentPassword: ana.password }), 'request.tooMany');
  });

  it('give the link to nobody but who is signed in to the account, though their address was mistyped', async () => {
    const [ana, stranger] = [await fresh(), await fresh()];
    const email = 'digitado.errado@exemplo.com.br';
    await save(ana.token, { email, currentPassword: ana.password });
    const key = await mailedKey(app, email);
    assert.equal((await app.call(api.confirmEmail, { body: { key } })).status, 401);
    assert.equal((await app.call(api.confirmEmail, { token: stranger.token, body: { key } })).code, 'account.keyInvalid');
    assert.equal((await app.call(api.finishPasswordReset, { body: { key, newPassword } })).code, 'account.keyInvalid');
    assert.equal((await app.call(api.confirmAccount, { body: { key, newPassword, firstName: 'Outra' } })).code, 'account.keyInvalid');
    assert.equal((await own(ana.token)).email, ana.email);
  });

  it('forget a new e-mail that was given up, asked for anew, overtaken by a new password, or is older than a day', async () => {
    const ana = await fresh();
    const email = 'depois@exemplo.com.br';
    const keyOf = async (address: string) => {
      await save(ana.token, { email: address, currentPassword: ana.password });
      return mailedKey(app, address);
    };
    const dead = async (key: string) =>
      assert.equal((await app.call(api.confirmEmail, { token: ana.token, body: { key } })).code, 'account.keyInvalid');
    const given = await keyOf(email);
    await app.call(api.cancelEmailChange, { token: ana.token });
    assert.equal((await own(ana.token)).pendingEmail, null);
    await dead(given);
    const former = await keyOf(email);
    const newest = await keyOf('terceiro@exemplo.com.br');
    await dead(former);
    assert.equal((await own(ana.token)).pendingEmail, 'terceiro@exemplo.com.br');
    await app.call(api.changePassword, { token: ana.token, body: { currentPassword: ana.password, newPassword } });
    await dead(newest);
    assert.equal((await own(ana.token)).pendingEmail, null);
  });

  it('take an address from who registered it and never confirmed it, not from who did meanwhile', async () => {
    const ana = await fresh();
    const register = (email: string) =>
      app.call(api.register, { body: { firstName: 'Grilo', login: email, email, password: newPassword, langKey: 'pt-br' } });
    await register('tomado@exemplo.com.br');
    await save(ana.token, { email: 'tomado@exemplo.com.br', currentPassword: ana.password });
    const key = await mailedKey(app, 'tomado@exemplo.com.br');
    assert.equal((await app.call(api.confirmEmail, { token: ana.token, body: { key } })).status, 200);

    const bia = await fresh();
    await save(bia.token, { email: 'rapido@exemplo.com.br', currentPassword: bia.password });
    const late = await mailedKey(app, 'rapido@exemplo.com.br');
    await registeredAccount(app, { email: 'rapido@exemplo.com.br', firstName: 'Caio', password: newPassword, langKey: 'pt-br' });
    assert.equal((await app.call(api.confirmEmail, { token: bia.token, body: { key: late } })).code, 'account.userexists');
    assert.equal((await own(bia.token)).email, bia.email, 'nothing is half done');
  });

  it('leave e-mail and password of an account that signs in through a provider to that provider', async () => {
    const ana = await fresh();
    await app.ctx.db.updateTable('app_user').set({ login_type: 'google', password_hash: null }).where('id', '=', ana.id).execute();
    assert.equal((await save(ana.token, { email: 'x@exemplo.com.br', currentPassword: 'a' })).code, 'account.emailOfProvider');
    const changed = await app.call(api.changePassword, { token: ana.token, body: { currentPassword: '', newPassword } });
    assert.deepEqual([changed.status, changed.code], [400, 'account.noPassword']);
    assert.equal((await save(ana.token, { lastName: 'Souza', email: ana.email })).status, 204, 'the rest is its own');
  });
});

describe('the sessions of an account', () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp();
    await signedInAccount(app);
  });
  after(() => app.close());

  const listed = async (token: string) => (await app.call(api.getSessions, { token })).body.sessions;
  const enter = async (account: TestAccount, userAgent: string) => {
    const answer = await app.inject({
      method: 'POST',
      url: '/api/authenticate',
      headers: { 'user-agent': userAgent },
      payload: { username: account.email, password: account.password },
    });
    return String((answer.json() as { id_token: string }).id_token);
  };

  it('are listed with browser and last use, its own alone; one or all others are ended', async () => {
    const ana = await signedInAccount(app, { email: 'ana@exemplo.com.br' });
    const bia = await signedInAccount(app, { email: 'bia@exemplo.com.br' });
    const phone = await enter(ana, 'Telefone');
    const office = await enter(ana, 'Escritório');
    const sessions = await listed(office);
    assert.equal(sessions.length, 3);
    assert.deepEqual(
      sessions.filter(({ current }) => current).map(({ userAgent }) => userAgent),
      ['Escritório'],
    );
    const ofPhone = sessions.find(({ userAgent }) => userAgent === 'Telefone') ?? assert.fail('the telephone is missing');
    const stranger = await app.call(api.endSession, { token: bia.token, params: { id: ofPhone.id } });
    assert.deepEqual([stranger.status, stranger.code], [404, 'request.notFound']);
    assert.equal((await app.call(api.endSession, { token: office, params: { id: ofPhone.id } })).status, 204);
    assert.equal((await app.call(api.getAccount, { token: phone })).status, 401);
    assert.equal((await app.call(api.endSession, { token: office, params: { id: ofPhone.id } })).status, 404, 'it has ended');
    assert.equal((await app.call(api.endOtherSessions, { token: office })).status, 204);
    assert.equal((await app.call(api.getAccount, { token: ana.token })).status, 401);
    assert.deepEqual(
      (await listed(office)).map(({ current }) => current),
      [true],
    );
    assert.equal((await listed(bia.token)).length, 1, 'another account’s stay');
  });

  it('say when they were last used', async () => {
    const caio = await signedInAccount(app, { email: 'caio@exemplo.com.br' });
    const entered = await app.call(api.authenticate, { body: { username: caio.email, password: caio.password } });
    const cookie = String(entered.headers['set-cookie']).split(';')[0] ?? '';
    app.clock.advance({ minutes: 25 });
    const renewed = await app.inject({
      method: 'POST',
      url: '/api/refresh',
      headers: { authorization: `Bearer ${entered.body.id_token}`, cookie },
    });
    const used = await listed((renewed.json() as { id_token: string }).id_token);
    assert.deepEqual(
      used.map(({ current, createdDate, lastUsedDate }) => [current, (Date.parse(lastUsedDate) - Date.parse(createdDate)) / 60_000]),
      [
        [true, 25],
        [false, 0],
      ],
    );
  });
});

describe('a registration that nobody confirms', () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp();
    await signedInAccount(app);
  });
  after(() => app.close());

  it('is gone after a week, unless a link still leads to it, it was confirmed, or an administrator shut it', async () => {
    const register = (email: string) =>
      app.call(api.register, { body: { firstName: 'Ana', login: email, email, password: newPassword, langKey: 'pt-br' } });
    const kept = async () =>
      (await app.ctx.db.selectFrom('app_user').select('email').where('email', 'like', 'sem%').orderBy('email').execute()).map(
        ({ email }) => email,
      );
    for (const name of ['sem.a', 'sem.b', 'sem.c']) await register(`${name}@exemplo.com.br`);
    await registeredAccount(app, { email: 'sem.d@exemplo.com.br', firstName: 'Davi', password: newPassword, langKey: 'pt-br' });
    await app.ctx.db
      .updateTable('app_user')
      .set({ deactivated_at: app.clock.now(), was_activated: false })
      .where('email', 'like', 'sem.c%')
      .execute();
    app.clock.advance({ days: 6 });
    await sweepUnconfirmedJob.run(app.ctx, {});
    assert.equal((await kept()).length, 4, 'within the week');
    app.clock.advance({ days: 2 });
    await app.call(api.requestPasswordReset, { body: 'sem.b@exemplo.com.br' });
    await app.runJobs();
    await sweepUnconfirmedJob.run(app.ctx, {});
    assert.deepEqual(await kept(), ['sem.b@exemplo.com.br', 'sem.c@exemplo.com.br', 'sem.d@exemplo.com.br']);
  });
});
