import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import * as api from '@lavra/api';
import { SignJWT } from 'jose';
import { openLog } from '../../compose.ts';
import { signToken } from '../../access/token.ts';
import { cookieOf, registeredAccount, signedInAccount, signIn, type TestAccount, tokenOf } from '../../testing/accounts.ts';
import { makeCall, startTestApp, type TestApp } from '../../testing/app.ts';

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

interface Browser {
  token: string;
  cookie: string;
}

describe('a session', () => {
  let app: TestApp;
  let ana: TestAccount;
  before(async () => {
    app = await startTestApp();
    ana = await signedInAccount(app);
  });
  after(() => app.close());

  /** Without the refreshing that the test's own browser does. */
  const call: TestApp['call'] = (one, input = {}) => makeCall((options) => app.installation.app.inject(options), one, input);

  async function enter(rememberMe = false): Promise<Browser> {
    const answer = await call(api.authenticate, { body: { username: ana.email, password: ana.password, rememberMe } });
    return { token: tokenOf(answer.body), cookie: cookieOf(answer.raw) };
  }

  async function refresh(browser: Browser): Promise<Browser | string | undefined> {
    const answer = await call(api.refreshSession, { token: browser.token, headers: { cookie: browser.cookie } });
    return answer.status === 200 ? { token: answer.body.id_token, cookie: cookieOf(answer.raw) } : answer.code;
  }

  async function refreshed(browser: Browser): Promise<Browser> {
    const next = await refresh(browser);
    assert.ok(typeof next === 'object', String(next));
    return next;
  }

  const status = async (browser: Browser) => (await call(api.getAccount, { token: browser.token })).status;

  it('outlives its token, which is good for ten minutes', async () => {
    const first = await enter();
    app.clock.advance({ minutes: 9, seconds: 59 });
    assert.equal(await status(first), 200);
    app.clock.advance({ seconds: 1 });
    assert.equal(await status(first), 401);
    const second = await refreshed(first);
    assert.equal(await status(second), 200);
    assert.notEqual(second.cookie, first.cookie);
  });

  it('sleeps for hours and goes on, until its 12 hours or 30 days are over', async () => {
    const short = await enter();
    const long = await enter(true);
    app.clock.advance({ hours: 11, minutes: 59 });
    const woken = await refreshed(short);
    assert.equal(await status(woken), 200);
    app.clock.advance({ minutes: 2 });
    assert.equal(await refresh(woken), 'request.unauthorized');
    let other = await refreshed(long);
    app.clock.advance({ days: 29 });
    other = await refreshed(other);
    app.clock.advance({ days: 1 });
    assert.equal(await refresh(other), 'request.unauthorized');
  });

  it('is renewed in the browser that signed in only: a token without its cookie is worth minutes', async () => {
    const browser = await enter();
    const stranger = await enter();
    for (const cookie of [
      '',
      stranger.cookie,
      browser.cookie.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
      `${browser.cookie}; ${browser.cookie}`,
      // The same bytes in other letters, the same number in other digits.
      browser.cookie.replace(/.$/, (last) => letters[letters.indexOf(last) + 1] ?? ''),
      browser.cookie.replace('.1.', '.01.'),
    ])
      assert.equal(await refresh({ token: browser.token, cookie }), 'request.unauthorized', cookie);
    assert.equal(await status(browser), 200);
    assert.equal(typeof (await refresh(browser)), 'object');
  });

  it('stands when two tabs, or a request whose answer was lost, ask with the same secret', async () => {
    const browser = await enter();
    const both = await Promise.all([refreshed(browser), refreshed(browser), refreshed(browser)]);
    assert.equal(new Set(both.map(({ cookie }) => cookie)).size, 1);
    app.clock.advance({ minutes: 2 });
    const late = await refreshed(browser);
    assert.equal(late.cookie, both[0]?.cookie);
    for (const tab of [...both, late]) assert.equal(await status(tab), 200);
    assert.equal(typeof (await refresh(late)), 'object');
  });

  it('ends, with every other one of that browser, when a renewed secret is shown again: it was stolen', async () => {
    const browser = await enter();
    const renewed = await refreshed(browser);
    app.clock.advance({ minutes: 2, seconds: 1 });
    assert.equal(await status(renewed), 200);
    assert.equal(await refresh(browser), 'request.unauthorized');
    assert.equal(await status(renewed), 401);
    assert.equal(await refresh(renewed), 'request.unauthorized');
    const noted = await app.ctx.db.selectFrom('audit_event').select(['kind', 'account_id']).where('kind', '=', 'session.reused').execute();
    assert.deepEqual(noted, [{ kind: 'session.reused', account_id: ana.id }]);
  });

  it('is over at once, whatever its token says, after sign-out and after a new password', async () => {
    const one = await enter();
    await call(api.logout, { token: one.token });
    assert.deepEqual([await status(one), await refresh(one)], [401, 'request.unauthorized']);
    const [here, there] = [await enter(), await enter()];
    await call(api.changePassword, { token: here.token, body: { currentPassword: ana.password, newPassword: 'Outra123' } });
    ana.password = 'Outra123';
    assert.deepEqual([await status(here), await status(there), await refresh(there)], [200, 401, 'request.unauthorized']);
  });

  it('asks for a fresh token before it says that there is nothing to see', async () => {
    const browser = await enter();
    const missing = { id: '11111111-1111-4111-8111-111111111111' };
    assert.equal((await call(api.downloadOriginal, { token: browser.token, params: missing })).code, 'document.notFound');
    app.clock.advance({ minutes: 10 });
    assert.equal((await call(api.downloadOriginal, { token: browser.token, params: missing })).code, 'request.unauthorized');
    // Nobody at all is told to sign in, and does not learn whether there is such a document.
    assert.equal((await call(api.downloadOriginal, { params: missing })).code, 'request.unauthorized');
  });

  it('keeps its secret where pages and other sites cannot reach it', async () => {
    const answer = await call(api.authenticate, { body: { username: ana.email, password: ana.password } });
    const cookie = String(answer.headers['set-cookie']);
    for (const word of ['HttpOnly', 'SameSite=Strict', 'Path=/']) assert.ok(cookie.includes(word), cookie);
    const rows = JSON.stringify(await app.ctx.db.selectFrom('device').selectAll().execute());
    assert.ok(!rows.includes(cookie.split(';')[0]?.split('.')[2] ?? 'missing'));
  });

  it('takes no token but ours, in the one way it is written', async () => {
    const { token } = await enter();
    const [head = '', claims = '', mac = ''] = token.split('.');
    const payload = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { sub: string; sid: string; iss: string; aud: string };
    const key = app.ctx.secrets.key('access-token');
    const make = (change: { iss?: string; aud?: string; typ?: string }) =>
      new SignJWT({ sid: payload.sid })
        .setProtectedHeader({ alg: 'HS256', typ: change.typ ?? 'at+jwt' })
        .setSubject(payload.sub)
        .setIssuer(change.iss ?? payload.iss)
        .setAudience(change.aud ?? payload.aud)
        .setIssuedAt(app.clock.now())
        .setExpirationTime(Math.floor(app.clock.now().getTime() / 1000) + 60)
        .sign(key);
    const sibling = mac.replace(
      /.$/,
      (last) =>
        'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'[
          'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'.indexOf(last) ^ 1
        ] ?? '',
    );
    assert.equal(Buffer.from(sibling, 'base64url').equals(Buffer.from(mac, 'base64url')), true);
    for (const [name, forged] of [
      ['letters behind it', `${token}!!`],
      ['padding', `${token}=`],
      ['a blank', `${token} x`],
      ['another spelling of the MAC', `${head}.${claims}.${sibling}`],
      ['a part more', `${token}.x`],
      ['another type', await make({ typ: 'JWT' })],
      ['another issuer', await make({ iss: 'other' })],
      ['another audience', await make({ aud: 'lavra' })],
    ] as const) {
      assert.equal((await call(api.getAccount, { token: forged })).status, 401, name);
    }
    assert.equal((await call(api.getAccount, { token: await make({}) })).status, 200);
    assert.equal((await call(api.getAccount, { token: await signToken(app.ctx, payload) })).status, 200);
  });
});

describe('the security log', () => {
  let app: TestApp;
  const lines: string[] = [];
  const bia = { firstName: 'Bia', email: 'bia@exemplo.com.br', password: 'Tinteiro7', langKey: 'pt-br' as const };
  before(async () => {
    const { default: pino } = await import('pino');
    app = await startTestApp({ log: pino({ level: 'info' }, { write: (line: string) => void lines.push(line) }) });
  });
  after(() => app.close());

  const entries = () => app.ctx.db.selectFrom('audit_event').selectAll().orderBy('id').execute();

  it('has who registered, signed in, was refused, reset, changed and left, in ids alone', async () => {
    const ana = await signedInAccount(app);
    await registeredAccount(app, bia);
    await app.call(api.authenticate, { body: { username: bia.email, password: 'Errada123' }, ip: '203.0.113.50' });
    await app.call(api.authenticate, { body: { username: 'ninguem@exemplo.com.br', password: 'Errada123' }, ip: '203.0.113.50' });
    const token = await signIn(app, bia);
    await app.call(api.changePassword, { token, body: { currentPassword: bia.password, newPassword: 'Outra123' } });
    await app.call(api.saveAccount, { token, body: { firstName: 'Bia', lastName: 'Lima', email: bia.email, langKey: 'en' } });
    await app.call(api.logout, { token });
    const foreign = { id: '22222222-2222-4222-8222-222222222222' };
    await app.call(api.downloadOriginal, { token: ana.token, params: foreign });
    await app.call(api.getAccount, { token: 'x.y.z' });
    const rows = await entries();
    assert.deepEqual(
      rows.map(({ kind, outcome, reason }) => `${kind} ${outcome} ${reason ?? ''}`.trim()),
      [
        'account.registered success',
        'account.role success ROLE_ADMIN',
        'session.opened success firstRegistration',
        'session.opened success password',
        'account.registered success',
        'account.activated success password',
        'session.opened refused account.wrongPassword',
        'session.opened refused account.wrongPassword',
        'session.opened success password',
        'password.changed success',
        'account.changed success',
        'session.ended success',
        'access refused document.notFound',
        'access refused request.unauthorized',
      ],
    );
    assert.equal(rows[12]?.subject_id, foreign.id);
    assert.equal(rows[7]?.account_id, null);
    // One network, one pseudonym, and not the next day.
    assert.equal(rows[6]?.source, rows[7]?.source);
    const written = JSON.stringify(rows) + lines.filter((line) => line.includes('"audit"')).join('');
    for (const personal of ['@', 'Bia', '203.0.113.50', token, 'Errada123']) assert.ok(!written.includes(personal), personal);
    assert.equal(lines.filter((line) => line.includes('"msg":"audit"')).length, rows.length);
  });

  it('has no values in the lines of faults either: PostgreSQL quotes those of a refused row', async () => {
    const written: string[] = [];
    const log = openLog({ logLevel: 'info' }, { write: (line: string) => void written.push(line) });
    const again = await app.ctx.db
      .selectFrom('app_user')
      .select(['login', 'email', 'first_name', 'login_type', 'lang_key', 'activated', 'authorities', 'created_at'])
      .where('email', '=', bia.email)
      .executeTakeFirstOrThrow();
    const twice = app.ctx.db.insertInto('app_user').values({ id: randomUUID(), ...again });
    await twice.execute().then(
      () => assert.fail('was written twice'),
      (error: unknown) => log.error({ err: error }, 'request failed'),
    );
    assert.match(written.join(''), /app_user_email_key/);
    assert.doesNotMatch(written.join(''), /bia@/);
  });

  it('is bounded in what strangers can make it write', async () => {
    const before = (await entries()).length;
    for (let attempt = 0; attempt < 130; attempt += 10)
      await Promise.all(Array.from({ length: 10 }, () => app.call(api.getAccount, { token: 'x.y.z', ip: '203.0.113.51' })));
    assert.equal((await entries()).length - before, 100);
  });

  it('stands and falls with the act it tells of', async () => {
    const before = (await entries()).length;
    await assert.rejects(
      app.ctx.transaction(async (tx) => {
        const { recordAudit } = await import('../../audit/audit.store.ts');
        await recordAudit(tx, { kind: 'download', outcome: 'success' });
        throw new Error('undone');
      }),
    );
    assert.equal((await entries()).length, before);
  });

  it('is append-only: its rows are neither changed nor removed for a year', async () => {
    await assert.rejects(app.ctx.db.updateTable('audit_event').set({ reason: 'nothing' }).execute(), /append-only/);
    await assert.rejects(app.ctx.db.deleteFrom('audit_event').execute(), /append-only/);
    const { sql } = await import('kysely');
    await assert.rejects(sql`truncate audit_event`.execute(app.ctx.db), /append-only/);
  });
});

describe('the first account in production', () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp({ config: { profile: 'prod' } });
  });
  after(() => app.close());

  const person = { firstName: 'Ana', login: 'ana@exemplo.com.br', email: 'ana@exemplo.com.br', password: 'Tinteiro7' };
  const register = (firstKey?: string) => app.call(api.register, { body: { ...person, ...(firstKey === undefined ? {} : { firstKey }) } });

  it('proves itself with a key that a start printed, of any node, once; strangers are not told that there is none', async () => {
    const { issueFirstAccountKey } = await import('./first-account-key.ts');
    const [one, other] = [await issueFirstAccountKey(app.ctx), await issueFirstAccountKey(app.ctx)];
    assert.ok(one && other && one !== other && one.length >= 32);
    assert.equal((await app.call(api.getManagementInfo)).body.firstAccount, false);
    assert.equal((await register()).code, 'account.firstKeyRequired');
    assert.equal((await register('')).code, 'account.firstKeyRequired');
    assert.equal((await register(`${one}x`)).code, 'account.firstKeyInvalid');
    assert.equal(await app.ctx.db.selectFrom('app_user').select('id').executeTakeFirst(), undefined);
    assert.ok(!JSON.stringify(await app.ctx.db.selectFrom('first_account_key').selectAll().execute()).includes(one));
    assert.equal((await register(one)).body.activated, true);
    const token = await signIn(app, person);
    assert.ok((await app.call(api.getAccount, { token })).body.authorities.includes('ROLE_ADMIN'));
    assert.equal(await issueFirstAccountKey(app.ctx), null);
    const second = await app.call(api.register, { body: { ...person, email: 'bia@exemplo.com.br', firstKey: other } });
    assert.deepEqual(second.body, { activated: false });
  });
});
