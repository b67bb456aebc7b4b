import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import * as api from '@lavra/api';
import { rewriteAddresses } from '../../db/migrations/014-account-safety.ts';
import { cookieOf, mailedKey, registeredAccount, signedInAccount, signIn } from '../../testing/accounts.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';

const ana = { firstName: 'Ana', login: 'ana@exemplo.com.br', email: 'ana@exemplo.com.br', password: 'Tinteiro7' };

describe('the first account', () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp();
  });
  after(() => app.close());

  it('becomes the administrator and needs no e-mail; only one does when several register at once', async () => {
    assert.equal((await app.call(api.getManagementInfo)).body.firstAccount, true);
    const names = ['ana', 'bia', 'caio', 'davi', 'eva'];
    const answers = await Promise.all(
      names.map((name) => app.call(api.register, { body: { ...ana, email: `${name}@exemplo.com.br`, login: name } })),
    );
    assert.deepEqual(
      answers.map(({ status }) => status),
      names.map(() => 200),
    );
    assert.equal(answers.filter(({ body }) => body.activated).length, 1);
    assert.equal((await app.call(api.getManagementInfo)).body.firstAccount, false);
    const first = answers.findIndex(({ body }) => body.activated);
    assert.equal(
      (await app.call(api.authenticate, { body: { username: `${names[first]}@exemplo.com.br`, password: ana.password } })).status,
      200,
    );
    // Signed in at once.
    const { headers, body } = answers[first] ?? assert.fail('nobody was first');
    const token = body.id_token ?? '';
    assert.equal(headers['authorization'], `Bearer ${token}`);
    assert.deepEqual((await app.call(api.getAccount, { token })).body.authorities.toSorted(), ['ROLE_ADMIN', 'ROLE_USER']);
    await app.runJobs();
    assert.equal((await app.mailbox.list()).length, names.length - 1);
  });
});

describe('registration', () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp();
    await signedInAccount(app);
  });
  after(() => app.close());

  const register = (change: Partial<typeof ana>) => app.call(api.register, { body: { ...ana, ...change } });

  it('asks for a name of 1 to 50 characters', async () => {
    for (const [firstName, code] of [
      ['', 'account.nameRequired'],
      ['   ', 'account.nameRequired'],
      ['a'.repeat(51), 'account.nameTooLong'],
    ] as const) {
      const answer = await register({ firstName });
      assert.deepEqual([answer.status, answer.code], [400, code]);
      assert.deepEqual(answer.raw.json().fieldErrors, [{ objectName: 'account', field: 'firstName', message: code }]);
    }
  });

  it('asks for an e-mail of 5 to 254 characters', async () => {
    for (const email of ['', 'a@b', 'ana', 'ana@exemplo', `${'a'.repeat(250)}@b.co`])
      assert.equal((await register({ email })).code, 'account.emailInvalid', email);
  });

  it('asks for a password of at least 6 characters with upper case, lower case and digit, at most 50', async () => {
    for (const password of ['Se12', 'senha123', 'SENHA123', 'SenhaSenha', `Aa1${'x'.repeat(48)}`])
      assert.equal((await register({ password })).code, 'account.passwordWeak', password);
  });

  it('names the fields that are missing', async () => {
    const answer = await app.inject({ method: 'POST', url: '/api/register', payload: { email: 5 } });
    assert.equal(answer.statusCode, 400);
    assert.deepEqual(
      answer.json().fieldErrors.map((fault: { field: string; message: string }) => [fault.field, fault.message]),
      [
        ['firstName', 'NotNull'],
        ['login', 'NotNull'],
        ['email', 'Pattern'],
        ['password', 'NotNull'],
      ],
    );
  });

  it('activates by the mailed key, once; before that the account cannot sign in', async () => {
    const registered = await register({});
    assert.deepEqual(registered.body, { activated: false });
    const refused = await app.call(api.authenticate, { body: { username: ana.email, password: ana.password } });
    assert.deepEqual([refused.status, refused.code], [401, 'account.notActivated']);
    const key = await mailedKey(app, ana.email);
    const headers = { cookie: cookieOf(registered.raw) };
    assert.equal((await app.call(api.activateAccount, { query: { key }, headers })).status, 204);
    assert.equal((await app.call(api.activateAccount, { query: { key }, headers })).code, 'account.keyInvalid');
    await signIn(app, ana);
  });

  it('answers userexists for an e-mail in use, however it is written', async () => {
    const answer = await register({ email: ' ANA@Exemplo.com.br ' });
    assert.deepEqual([answer.status, answer.code], [400, 'account.userexists']);
  });

  it('refuses an activation key after 72 hours', async () => {
    await register({ email: 'tarde@exemplo.com.br' });
    const key = await mailedKey(app, 'tarde@exemplo.com.br');
    app.clock.advance({ hours: 72, seconds: 1 });
    assert.equal((await app.call(api.activateAccount, { query: { key } })).code, 'account.keyInvalid');
  });

  it('writes the mail in the language of the account', async () => {
    for (const [langKey, subject] of [
      ['pt-br', 'Confirme seu e-mail no Lavra'],
      ['en', /confirm/i],
      ['es', /confirm/i],
    ] as const) {
      const email = `idioma-${langKey}@exemplo.com.br`;
      await app.call(api.register, { body: { ...ana, email, langKey } });
      await app.runJobs();
      const mail = (await app.mailbox.list()).find(({ to }) => to === email);
      assert.match(mail?.subject ?? '', new RegExp(subject));
      assert.ok(mail?.html.includes('http://lavra.test/account/activate?key='));
      assert.ok(mail?.text.includes('http://lavra.test/account/activate?key='));
    }
  });

  it('escapes what people typed in the HTML of a mail', async () => {
    await register({ email: 'html@exemplo.com.br', firstName: '<img src=x> & "eu"' });
    await app.runJobs();
    const mail = (await app.mailbox.list()).find(({ to }) => to === 'html@exemplo.com.br');
    assert.ok(!mail?.html.includes('<img src=x'));
    assert.ok(mail?.html.includes('&lt;img src=x&gt; &amp;'));
  });
});

describe('an address', () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp();
    await signedInAccount(app);
  });
  after(() => app.close());

  const joao = 'joão@cartório.com.br';
  const spelled = ['JOÃO@Cartório.com.br', joao.normalize('NFD'), 'joão@XN--cartrio-o0a.com.br', ` ${joao} `];

  it('is one account however it is typed: registered, signed in, reset', async () => {
    await registeredAccount(app, { firstName: 'João', email: joao, password: 'Tinteiro7', langKey: 'pt-br' });
    for (const email of spelled) {
      const twin = await app.call(api.register, { body: { ...ana, email, login: email } });
      assert.equal(twin.code, 'account.userexists', email);
      await signIn(app, { email, password: 'Tinteiro7' });
    }
    assert.equal((await app.call(api.requestPasswordReset, { body: joao.normalize('NFD') })).status, 200);
    await mailedKey(app, joao);
  });

  it('is refused where it looks like another, in every place that takes one', async () => {
    for (const email of ['an\u200ba@exemplo.com.br', 'an\u202ea@exemplo.com.br', 'аna@exemplo.com.br', 'ａna@exemplo.com.br']) {
      assert.equal((await app.call(api.register, { body: { ...ana, email, login: email } })).code, 'account.emailInvalid', email);
      assert.equal((await app.call(api.requestPasswordReset, { body: email })).code, 'account.emailInvalid', email);
      assert.equal((await app.call(api.authenticate, { body: { username: email, password: 'Tinteiro7' } })).code, 'account.loginNotFound');
    }
  });

  it('of before gets its one form, unless that is another account’s', async () => {
    const old = ['mari\u0301a@exemplo.com.br', 'zé@pão.com.br', 'rené@exemplo.com.br', 'rene\u0301@exemplo.com.br'];
    const common = {
      first_name: 'X',
      login_type: 'password',
      lang_key: 'pt-br' as const,
      activated: true,
      authorities: ['ROLE_USER' as const],
    };
    for (const email of old)
      await app.ctx.db
        .insertInto('app_user')
        .values({ ...common, id: randomUUID(), email, login: email, created_at: new Date() })
        .execute();
    await rewriteAddresses(app.ctx.db as never);
    const now = await app.ctx.db.selectFrom('app_user').select(['email', 'login']).where('first_name', '=', 'X').orderBy('email').execute();
    assert.deepEqual(
      now.map(({ email }) => email).toSorted(),
      ['maría@exemplo.com.br', 'zé@xn--po-sia.com.br', 'rené@exemplo.com.br', 'rene\u0301@exemplo.com.br'].toSorted(),
    );
    assert.ok(now.every(({ email, login }) => email === login));
  });
});

describe('signing in', () => {
  let app: TestApp;
  const bia = { firstName: 'Bia', email: 'bia@exemplo.com.br', password: 'Tinteiro7', langKey: 'pt-br' as const };
  before(async () => {
    app = await startTestApp();
    await signedInAccount(app);
    await registeredAccount(app, bia);
  });
  after(() => app.close());

  const enter = (username: string, password: string, ip = '203.0.113.1') =>
    app.call(api.authenticate, { body: { username, password, rememberMe: false }, ip });

  it('answers the Bearer token in the authorization header and in the body', async () => {
    const { status, headers, body } = await enter(bia.email, bia.password);
    assert.equal(status, 200);
    assert.equal(headers['authorization'], `Bearer ${body.id_token}`);
    assert.equal(headers['cache-control'], 'no-store');
    const account = (await app.call(api.getAccount, { token: body.id_token })).body;
    assert.deepEqual(
      { ...account, id: '', createdDate: '' },
      {
        id: '',
        login: bia.email,
        email: bia.email,
        firstName: 'Bia',
        lastName: '',
        langKey: 'pt-br',
        timeZone: 'America/Sao_Paulo',
        pendingEmail: null,
        company: null,
        confirmedCpf: null,
        activated: true,
        authorities: ['ROLE_USER'],
        loginType: 'password',
        createdDate: '',
      },
    );
  });

  it('gives unknown e-mail and wrong password the same answer', async () => {
    const unknown = await enter('ninguem@exemplo.com.br', 'Errada123', '198.51.100.1');
    const wrong = await enter(bia.email, 'Errada123', '198.51.100.2');
    assert.deepEqual([unknown.status, unknown.code], [401, 'account.loginNotFound']);
    assert.deepEqual([wrong.status, wrong.code], [401, 'account.loginNotFound']);
  });

  it('locks the account for that address for 15 minutes from the fifth failure, and nobody else', async () => {
    const ip = '203.0.113.7';
    for (let failure = 1; failure <= 5; failure += 1) assert.equal((await enter(bia.email, 'Errada123', ip)).code, 'account.loginNotFound');
    const locked = await enter(bia.email, bia.password, ip);
    assert.deepEqual([locked.status, locked.code], [429, 'account.locked']);
    assert.equal(locked.raw.json().params.minutes, 15);
    assert.equal((await enter(bia.email, bia.password, '203.0.113.8')).status, 200);
    app.clock.advance({ minutes: 14, seconds: 59 });
    assert.equal((await enter(bia.email, bia.password, ip)).code, 'account.locked');
    app.clock.advance({ seconds: 1 });
    assert.equal((await enter(bia.email, bia.password, ip)).status, 200);
  });

  it('does not let guesses made at the same time pass the limit together', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => enter(bia.email, 'Errada123', '203.0.113.9')));
    assert.ok(answers.filter(({ code }) => code === 'account.loginNotFound').length <= 5);
    assert.equal((await enter(bia.email, bia.password, '203.0.113.9')).status, 429);
  });

  it('has one address count no more than its own five failures against an account, however many it sends at once', async () => {
    const dora = await signedInAccount(app);
    const burst = await Promise.all(Array.from({ length: 60 }, () => enter(dora.email, 'Errada123', '203.0.113.60')));
    assert.ok(burst.filter(({ code }) => code === 'account.loginNotFound').length <= 5);
    assert.equal((await enter(dora.email, dora.password, '203.0.113.61')).status, 200);
    // Nor is the rest of their office shut by it.
    assert.equal((await enter(bia.email, bia.password, '203.0.113.60')).status, 200);
  });

  it('opens a hundred sessions of one account in a quarter of an hour, not a thousand', async () => {
    const fred = await signedInAccount(app);
    const codes: (string | undefined)[] = [];
    for (let round = 0; round < 26; round += 1)
      codes.push(
        ...(await Promise.all(Array.from({ length: 4 }, () => enter(fred.email, fred.password, '203.0.113.62')))).map(({ code }) => code),
      );
    const told = await app.ctx.db
      .selectFrom('audit_event')
      .select('id')
      .where('account_id', '=', fred.id)
      .where('kind', '=', 'session.opened')
      .where('outcome', '=', 'success')
      .execute();
    assert.equal(told.length, 100);
    assert.equal(codes.at(-1), 'request.tooMany');
  });

  it('stops an address that guesses at many accounts', async () => {
    const ip = '203.0.113.10';
    for (let guess = 0; guess < 50; guess += 10) {
      await Promise.all(Array.from({ length: 10 }, (_, index) => enter(`pessoa${guess + index}@exemplo.com.br`, 'Errada123', ip)));
    }
    assert.equal((await enter(bia.email, bia.password, ip)).code, 'account.locked');
  });

  it('tells a wrong password apart when enumeration protection is off', async () => {
    const open = await startTestApp({ config: { enumerationProtection: false } });
    try {
      const account = await signedInAccount(open);
      const wrong = await open.call(api.authenticate, { body: { username: account.email, password: 'Errada123' } });
      const unknown = await open.call(api.authenticate, { body: { username: 'ninguem@exemplo.com.br', password: 'Errada123' } });
      assert.deepEqual([wrong.code, unknown.code], ['account.wrongPassword', 'account.loginNotFound']);
    } finally {
      await open.close();
    }
  });

  it('ends with logout, on the server', async () => {
    const token = await signIn(app, bia);
    assert.equal((await app.call(api.logout, { token })).status, 204);
    assert.equal((await app.call(api.getAccount, { token })).status, 401);
  });

  it('lasts 12 hours, or 30 days when remembered', async () => {
    const short = await signIn(app, bia);
    const { body } = await app.call(api.authenticate, { body: { username: bia.email, password: bia.password, rememberMe: true } });
    app.clock.advance({ hours: 12, seconds: 1 });
    assert.equal((await app.call(api.getAccount, { token: short })).status, 401);
    assert.equal((await app.call(api.getAccount, { token: body.id_token })).status, 200);
    app.clock.advance({ days: 30 });
    assert.equal((await app.call(api.getAccount, { token: body.id_token })).status, 401);
  });

  it('accepts no token but our own', async () => {
    const token = await signIn(app, bia);
    const [head, claims = '', mac] = token.split('.');
    const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url');
    const other = Buffer.from(JSON.stringify({ ...JSON.parse(Buffer.from(claims, 'base64url').toString()), sub: 'another' })).toString(
      'base64url',
    );
    for (const forged of [
      `${none}.${claims}.`,
      `${none}.${claims}.${mac}`,
      `${head}.${other}.${mac}`,
      `${head}.${claims}.`,
      'x',
      'a.b.c',
    ]) {
      assert.equal((await app.call(api.getAccount, { token: forged })).status, 401, forged);
    }
  });

  it('tells who is signed in, and that they may enter and create', async () => {
    const token = await signIn(app, bia);
    assert.equal((await app.call(api.getEmailUserLogged, { token })).body, bia.email);
    for (const actionFlowWebType of ['LOGIN', 'CREATE_PROCESS'] as const) {
      assert.equal((await app.call(api.hasPermission, { token, query: { actionFlowWebType } })).body, true);
    }
    assert.equal((await app.call(api.hasPermission, { token, query: { actionFlowWebType: 'ANYTHING' as 'LOGIN' } })).status, 400);
    assert.equal((await app.call(api.hasPermission, { query: { actionFlowWebType: 'LOGIN' } })).status, 401);
  });
});

describe('passwords', () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp();
  });
  after(() => app.close());

  it('change with the current one; every other session ends', async () => {
    const account = await signedInAccount(app);
    const elsewhere = await signIn(app, account);
    const wrong = await app.call(api.changePassword, {
      token: account.token,
      body: { currentPassword: 'Errada123', newPassword: 'Outra123' },
    });
    assert.equal(wrong.status, 400);
    assert.equal(wrong.raw.json().message, 'Incorrect password');
    const weak = await app.call(api.changePassword, {
      token: account.token,
      body: { currentPassword: account.password, newPassword: 'fraca' },
    });
    assert.equal(weak.code, 'account.passwordWeak');
    assert.equal(
      (await app.call(api.changePassword, { token: account.token, body: { currentPassword: account.password, newPassword: 'Outra123' } }))
        .status,
      204,
    );
    assert.equal((await app.call(api.getAccount, { token: account.token })).status, 200);
    assert.equal((await app.call(api.getAccount, { token: elsewhere })).status, 401);
    await signIn(app, { ...account, password: 'Outra123' });
  });

  it('are reset by a mailed key that works once and for 24 hours, which ends every session', async () => {
    const account = await signedInAccount(app);
    assert.equal((await app.call(api.requestPasswordReset, { body: account.email })).status, 200);
    const key = await mailedKey(app, account.email);
    assert.equal((await app.call(api.finishPasswordReset, { body: { key, newPassword: 'fraca' } })).code, 'account.passwordWeak');
    assert.equal((await app.call(api.finishPasswordReset, { body: { key, newPassword: 'Nova1234' } })).status, 204);
    assert.equal((await app.call(api.finishPasswordReset, { body: { key, newPassword: 'Nova1234' } })).code, 'account.keyInvalid');
    assert.equal((await app.call(api.getAccount, { token: account.token })).status, 401);
    await signIn(app, { ...account, password: 'Nova1234' });
    await app.call(api.requestPasswordReset, { body: { email: account.email } });
    const late = await mailedKey(app, account.email);
    app.clock.advance({ hours: 24, seconds: 1 });
    assert.equal((await app.call(api.finishPasswordReset, { body: { key: late, newPassword: 'Nova1234' } })).code, 'account.keyInvalid');
  });

  it('are told by mail after a reset, with the passkeys that still open the account', async () => {
    const account = await signedInAccount(app);
    const passkey = { user_id: account.id, public_key: Buffer.of(1), sign_count: 0, transports: [], synced: false };
    for (const [after, name] of ['Celular da Ana', 'Chave azul'].entries())
      await app.ctx.db
        .insertInto('passkey')
        .values({
          ...passkey,
          id: crypto.randomUUID(),
          credential_id: crypto.randomUUID(),
          name,
          created_at: new Date(app.clock.now().getTime() + after),
        })
        .execute();
    await app.call(api.requestPasswordReset, { body: account.email });
    const key = await mailedKey(app, account.email);
    assert.equal((await app.call(api.finishPasswordReset, { body: { key, newPassword: 'Nova1234' } })).status, 204);
    await app.runJobs();
    const told = (await app.mailbox.list()).filter(({ to, subject }) => to === account.email && subject.includes('foi trocada'));
    assert.equal(told.length, 1);
    assert.match(told[0]?.text ?? '', /Celular da Ana e Chave azul/);
  });

  it('can be asked for by anyone without learning whether the account exists', async () => {
    const before = (await app.mailbox.list()).length;
    assert.equal((await app.call(api.requestPasswordReset, { body: 'ninguem@exemplo.com.br' })).status, 200);
    await app.runJobs();
    assert.equal((await app.mailbox.list()).length, before);
  });

  it('and keys are kept as hashes only', async () => {
    const account = await signedInAccount(app);
    await app.call(api.requestPasswordReset, { body: account.email });
    const key = await mailedKey(app, account.email);
    const rows = JSON.stringify(await app.ctx.db.selectFrom('account_key').selectAll().execute());
    assert.ok(!rows.includes(key));
    const user = await app.ctx.db
      .selectFrom('app_user')
      .select('password_hash')
      .where('email', '=', account.email)
      .executeTakeFirstOrThrow();
    assert.match(user.password_hash ?? '', /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });
});
