import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as api from '@lavra/api';
import { cookieOf, mailedKey, registeredAccount, signedInAccount, signIn } from '../../testing/accounts.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { verifyPassword } from './password-hash.ts';

const attacker = 'Atacante1';
let count = 0;
let asked = 0;
const newAddress = () => `vitima${(count += 1)}@exemplo.com.br`;

describe('whoever registers an address without reading its mail', () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp();
    await signedInAccount(app);
  });
  after(() => app.close());

  const register = (email: string, password: string, firstName = 'Estranha', headers: Record<string, string> = {}) =>
    app.call(api.register, { body: { firstName, login: email, email, password }, headers, ip: `203.0.113.${(asked += 1) % 250}` });
  const enter = (username: string, password: string) => app.call(api.authenticate, { body: { username, password } });
  const activated = async (email: string) =>
    (await app.ctx.db.selectFrom('app_user').select('activated').where('email', '=', email).executeTakeFirstOrThrow()).activated;

  it('gets nothing when its owner opens the link: elsewhere the key alone activates nothing, by GET or by POST', async () => {
    const email = newAddress();
    await register(email, attacker);
    const key = await mailedKey(app, email);
    for (const answer of [
      await app.call(api.activateAccount, { query: { key } }),
      await app.call(api.confirmAccount, { body: { key } }),
      await app.call(api.confirmAccount, { body: { key, password: 'Adivinha1' } }),
    ]) {
      assert.ok(['account.proofRequired', 'account.registeredPasswordWrong'].includes(answer.code ?? ''), answer.code);
      assert.ok(answer.status < 500 && answer.status >= 400);
    }
    assert.equal(await activated(email), false);
    assert.equal((await enter(email, attacker)).code, 'account.notActivated');
  });

  it('is put out by “não fui eu”: a new password and name replace theirs', async () => {
    const email = newAddress();
    await register(email, attacker, 'Xingamento');
    const key = await mailedKey(app, email);
    const mine = { key, newPassword: 'Minha1234', firstName: 'Vitória' };
    assert.equal((await app.call(api.confirmAccount, { body: { ...mine, newPassword: 'fraca' } })).code, 'account.passwordWeak');
    assert.equal((await app.call(api.confirmAccount, { body: { key, newPassword: 'Minha1234' } })).code, 'account.nameRequired');
    assert.equal((await app.call(api.confirmAccount, { body: mine })).status, 204);
    assert.equal((await enter(email, attacker)).code, 'account.loginNotFound');
    const token = await signIn(app, { email, password: 'Minha1234' });
    const account = (await app.call(api.getAccount, { token })).body;
    assert.deepEqual([account.firstName, account.activated], ['Vitória', true]);
    assert.equal((await app.call(api.confirmAccount, { body: mine })).code, 'account.keyInvalid');
  });

  it('does not pass as the browser that registered by a cookie of their own', async () => {
    const email = newAddress();
    await register(email, attacker);
    const other = cookieOf((await register(newAddress(), 'Outra1234')).raw);
    const key = await mailedKey(app, email);
    assert.equal((await app.call(api.confirmAccount, { body: { key }, headers: { cookie: other } })).code, 'account.proofRequired');
    const forged = other.replace(/^(lavra-device=)[^.]+/, (_, name: string) => `${name}00000000-0000-4000-8000-000000000000`);
    assert.equal((await app.call(api.confirmAccount, { body: { key }, headers: { cookie: forged } })).code, 'account.proofRequired');
  });

  it('and the owner, in the browser that registered or with the password chosen there, is in at once', async () => {
    const here = newAddress();
    const cookie = cookieOf((await register(here, 'Minha1234')).raw);
    assert.equal((await app.call(api.confirmAccount, { body: { key: await mailedKey(app, here) }, headers: { cookie } })).status, 204);
    await signIn(app, { email: here, password: 'Minha1234' });
    const elsewhere = newAddress();
    await register(elsewhere, 'Minha1234');
    const key = await mailedKey(app, elsewhere);
    assert.equal((await app.call(api.confirmAccount, { body: { key, password: 'Minha1234' } })).status, 204);
    await signIn(app, { email: elsewhere, password: 'Minha1234' });
  });

  it('is replaced by the next registration of the address, whose link alone is good then', async () => {
    const email = newAddress();
    await register(email, attacker);
    const old = await mailedKey(app, email);
    const cookie = cookieOf((await register(email, 'Minha1234', 'Vitória')).raw);
    assert.equal((await app.call(api.confirmAccount, { body: { key: old, password: attacker } })).code, 'account.keyInvalid');
    const key = await newestKey(app, email, old);
    assert.equal((await app.call(api.confirmAccount, { body: { key }, headers: { cookie } })).status, 204);
    assert.equal((await enter(email, attacker)).code, 'account.loginNotFound');
    const token = await signIn(app, { email, password: 'Minha1234' });
    assert.equal((await app.call(api.getAccount, { token })).body.firstName, 'Vitória');
    assert.equal((await register(email, attacker)).code, 'account.userexists');
  });

  it('never ends with their password when registrations and the activation run at the same time', async () => {
    for (let round = 0; round < 4; round += 1) {
      const email = newAddress();
      const cookie = cookieOf((await register(email, 'Minha1234')).raw);
      const key = await mailedKey(app, email);
      const [activation] = await Promise.all([
        app.call(api.confirmAccount, { body: { key }, headers: { cookie } }),
        register(email, attacker),
        register(email, attacker),
      ]);
      const user = await app.ctx.db.selectFrom('app_user').selectAll().where('email', '=', email).executeTakeFirstOrThrow();
      const theirs = await verifyPassword(user.password_hash, attacker);
      assert.equal(user.activated && theirs, false);
      assert.equal(user.activated, activation.status === 204);
    }
  });

  it('shows an unconfirmed account nothing, not even with the right password', async () => {
    const email = newAddress();
    await register(email, attacker);
    assert.equal((await enter(email, attacker)).status, 401);
    assert.equal(
      await app.ctx.db
        .selectFrom('session')
        .innerJoin('app_user', 'app_user.id', 'session.user_id')
        .select('session.id')
        .where('email', '=', email)
        .executeTakeFirst(),
      undefined,
    );
  });

  it('cannot have one address mailed without end', async () => {
    const email = newAddress();
    const answers = [];
    for (let attempt = 0; attempt < 7; attempt += 1) answers.push((await register(email, attacker)).code);
    assert.deepEqual(answers, [undefined, undefined, undefined, undefined, undefined, 'request.tooMany', 'request.tooMany']);
  });
});

/** The key of another mail than the one known. */
async function newestKey(app: TestApp, email: string, known: string): Promise<string> {
  await app.runJobs();
  for (const mail of await app.mailbox.list()) {
    const key = mail.to === email ? /[?&]key=([\w-]+)/.exec(mail.text)?.[1] : undefined;
    if (key && key !== known) return key;
  }
  throw new Error('no other mail');
}

describe('reset keys', () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp();
  });
  after(() => app.close());

  async function twoKeys(email: string): Promise<[string, string]> {
    await app.call(api.requestPasswordReset, { body: email });
    const first = await mailedKey(app, email);
    await app.call(api.requestPasswordReset, { body: email });
    return [first, await newestKey(app, email, first)];
  }
  const finish = (key: string, newPassword = 'Nova1234', ip = '203.0.113.1') =>
    app.call(api.finishPasswordReset, { body: { key, newPassword }, ip });

  it('all die when one of them is used', async () => {
    const { email } = await signedInAccount(app);
    const [first, second] = await twoKeys(email);
    assert.equal((await finish(second)).status, 204);
    assert.equal((await finish(first)).code, 'account.keyInvalid');
  });

  it('all die when the password is changed', async () => {
    const { email, token, password } = await signedInAccount(app);
    const [first, second] = await twoKeys(email);
    assert.equal((await app.call(api.changePassword, { token, body: { currentPassword: password, newPassword: 'Outra123' } })).status, 204);
    for (const key of [first, second]) assert.equal((await finish(key)).code, 'account.keyInvalid');
  });

  it('and a change of the password at one moment leave one of the two: a session that shows the old one sets none any more', async () => {
    const { email, token, password } = await signedInAccount(app);
    const body = { currentPassword: password, newPassword: 'Outra123' };
    const answers = await Promise.all([1, 2, 3].map(() => app.call(api.changePassword, { token, body })));
    assert.deepEqual(answers.map(({ code }) => code ?? 'changed').toSorted(), [
      'account.incorrectPassword',
      'account.incorrectPassword',
      'changed',
    ]);
    const entered = await app.call(api.authenticate, { body: { username: email, password: 'Outra123' } });
    assert.notEqual(entered.body.id_token, undefined);
  });

  it('are looked up before anything is computed, and an address may try few', async () => {
    const answers = await Promise.all(Array.from({ length: 60 }, (_, index) => finish(`errada${index}`, 'Nova1234', '203.0.113.9')));
    assert.deepEqual([...new Set(answers.map(({ code }) => code))].toSorted(), ['account.keyInvalid', 'request.tooMany']);
    assert.equal(answers.filter(({ code }) => code === 'account.keyInvalid').length, 30);
    // Looked up before the password is so much as read, let alone hashed.
    assert.equal((await finish('errada', 'fraca', '203.0.113.11')).code, 'account.keyInvalid');
    assert.equal((await finish('errada', 'Nova1234', '203.0.113.10')).code, 'account.keyInvalid');
  });
});

describe('a lock', () => {
  let app: TestApp;
  const bia = { firstName: 'Bia', email: 'bia@exemplo.com.br', password: 'Tinteiro7', langKey: 'pt-br' as const };
  let cookie: string;
  before(async () => {
    app = await startTestApp();
    await signedInAccount(app);
    await registeredAccount(app, bia);
    const entered = await enter(bia.password, '203.0.113.1');
    cookie = cookieOf(entered.raw);
    await lockFromEverywhere();
  });
  after(() => app.close());

  const enter = (password: string, ip: string, headers: Record<string, string> = {}) =>
    app.call(api.authenticate, { body: { username: bia.email, password }, ip, headers });

  /** Fifty guesses from as many networks. */
  async function lockFromEverywhere(): Promise<void> {
    for (let guess = 0; guess < 50; guess += 10)
      await Promise.all(Array.from({ length: 10 }, (_, index) => enter('Errada123', `198.51.100.${guess + index}`)));
    assert.equal((await enter(bia.password, '203.0.113.77')).code, 'account.locked');
  }

  it('that others caused does not stop a device that signed in before', async () => {
    assert.equal((await enter(bia.password, '203.0.113.77', { cookie })).status, 200);
    assert.equal((await enter(bia.password, '198.51.100.3', { cookie })).status, 200);
    assert.equal((await enter(bia.password, '203.0.113.77')).code, 'account.locked');
  });

  it('counts guesses from such a device too, and it proves nothing for another account', async () => {
    const caio = await signedInAccount(app);
    for (let guess = 0; guess < 5; guess += 1)
      assert.equal((await enter('Errada123', '203.0.113.78', { cookie })).code, 'account.loginNotFound');
    assert.equal((await enter(bia.password, '203.0.113.78', { cookie })).code, 'account.locked');
    const theirs = cookieOf((await app.call(api.authenticate, { body: { username: caio.email, password: caio.password } })).raw);
    assert.equal((await enter(bia.password, '203.0.113.79', { cookie: theirs })).code, 'account.locked');
    app.clock.advance({ minutes: 15 });
    assert.equal((await enter(bia.password, '203.0.113.78', { cookie })).status, 200);
  });

  it('does not stop whoever sets a new password by the mailed link, in that browser', async () => {
    await lockFromEverywhere();
    await app.call(api.requestPasswordReset, { body: bia.email });
    const key = await mailedKey(app, bia.email);
    const set = await app.call(api.finishPasswordReset, { body: { key, newPassword: 'Nova1234' } });
    assert.equal((await enter('Nova1234', '198.51.100.3', { cookie: cookieOf(set.raw) })).status, 200);
    assert.equal((await enter('Nova1234', '198.51.100.3')).code, 'account.locked');
    // The devices of before are strangers from then on.
    assert.equal((await enter('Nova1234', '203.0.113.77', { cookie })).code, 'account.locked');
  });

  it('counts the addresses of one IPv6 network as one', async () => {
    const dora = await signedInAccount(app, { email: 'dora@exemplo.com.br' });
    const guess = (tail: number) =>
      app.call(api.authenticate, { body: { username: dora.email, password: 'Errada123' }, ip: `2001:db8:1:2::${tail.toString(16)}` });
    for (let tail = 1; tail <= 5; tail += 1) assert.equal((await guess(tail)).code, 'account.loginNotFound');
    assert.equal((await guess(6)).code, 'account.locked');
    assert.equal(
      (await app.call(api.authenticate, { body: { username: dora.email, password: dora.password }, ip: '2001:db8:1:3::1' })).status,
      200,
    );
  });
});
