import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as api from '@lavra/api';
import { TOTP } from 'otpauth';
import { cookieOf, mailedKey, signedInAccount, type TestAccount } from '../../../testing/accounts.ts';
import { runResetFactors } from '../../../commands/reset-factors.ts';
import { startTestApp, type TestApp, testPublicUrl } from '../../../testing/app.ts';
import { Authenticator } from '../../../testing/authenticator.ts';

const PASSWORD = 'Senha123x';
let app: TestApp;
let admin: TestAccount;
let requests = 0;

/** The code that an app shows now, or some steps of 30 seconds later. */
function codeOf(secret: string, steps = 0): string {
  return new TOTP({ secret }).generate({ timestamp: app.clock.now().getTime() + steps * 30_000 });
}

/** A browser that keeps its cookie, at an address of its own. */
class Browser {
  cookie = '';
  readonly ip = `198.51.${(requests += 1) >> 8}.${requests & 255}`;

  async call<C extends api.Call>(call: C, input: Parameters<typeof app.call<C>>[1] = {}) {
    const headers = { ...input.headers, ...(this.cookie ? { cookie: this.cookie } : {}) };
    const answer = await app.call(call, { ...input, headers, ip: this.ip });
    this.cookie = cookieOf(answer.raw) || this.cookie;
    return answer;
  }

  enter(account: { email: string; password: string }, rememberMe = false) {
    return this.call(api.authenticate, { body: { username: account.email, password: account.password, rememberMe } });
  }

  async step(account: { email: string; password: string }, rememberMe = false): Promise<api.SecondStep> {
    const { body, code } = await this.enter(account, rememberMe);
    return body.secondStep ?? assert.fail(`no second step: ${code}`);
  }

  finish(challenge: string, shown: Omit<api.Body<typeof api.finishSignIn>, 'challenge'>) {
    return this.call(api.finishSignIn, { body: { challenge, ...shown } });
  }
}

async function withTotp(account: TestAccount): Promise<{ secret: string; backupCodes: string[] }> {
  const { token, password } = account;
  const { body } = await app.call(api.beginTotp, { token, body: { proof: { password } } });
  const confirmed = await app.call(api.confirmTotp, { token, body: { code: codeOf(body.secret) } });
  assert.equal(confirmed.status, 200);
  app.clock.advance({ seconds: 30 });
  return { secret: body.secret, backupCodes: confirmed.body.backupCodes ?? assert.fail('no backup codes') };
}

async function withPasskey(account: TestAccount, key: Authenticator, name = 'Chave'): Promise<string> {
  const { token, password } = account;
  const begun = await app.call(api.beginPasskey, { token, body: { proof: { password } } });
  const { challenge, passkey } = begun.body;
  const added = await app.call(api.addPasskey, { token, body: { challenge, passkey: key.create(passkey), name } });
  assert.equal(added.status, 200, added.code);
  return added.body.id;
}

/** From one address twenty accounts are registered an hour. */
const nextHour = () => app.clock.advance({ hours: 1 });

/** What the security log has of an account, newest first. */
async function logOf(accountId: string): Promise<string[]> {
  const rows = await app.ctx.db.selectFrom('audit_event').selectAll().where('account_id', '=', accountId).orderBy('id', 'desc').execute();
  return rows.map(({ kind, outcome, reason }) => [kind, outcome, reason].filter(Boolean).join(' '));
}

async function mailsTo(email: string): Promise<string[]> {
  await app.runJobs();
  return (await app.mailbox.list()).filter(({ to }) => to === email).map(({ subject }) => subject);
}

const account = () => signedInAccount(app, { password: PASSWORD });
const require = (requiredOf: api.SecondFactorDemand) => app.call(api.saveSecondFactorPolicy, { token: admin.token, body: { requiredOf } });

describe('a second factor', () => {
  before(async () => {
    app = await startTestApp();
    admin = await account();
  });
  after(() => app.close());

  describe('an authenticator app', () => {
    it('makes a sign-in two steps: the first answers a challenge and no session, the second opens it with the app’s code', async () => {
      const ana = await account();
      const { secret } = await withTotp(ana);
      const browser = new Browser();
      const { body, headers, raw } = await browser.enter(ana, true);
      assert.equal(body.id_token, undefined);
      assert.equal(headers['authorization'], undefined);
      assert.doesNotMatch(raw.body, /id_token/);
      assert.deepEqual(body.secondStep?.methods, ['totp', 'backupCode']);
      assert.equal(body.secondStep?.enrol, false);
      const finished = await browser.finish(body.secondStep?.challenge ?? '', { code: codeOf(secret) });
      assert.equal(finished.status, 200, finished.code);
      assert.equal((await app.call(api.getAccount, { token: finished.body.id_token })).body.email, ana.email);
      assert.equal((await logOf(ana.id))[0], 'session.opened success password+totp');
      const session = await app.ctx.db
        .selectFrom('session')
        .selectAll()
        .where('user_id', '=', ana.id)
        .orderBy('expires_at', 'desc')
        .executeTakeFirst();
      assert.equal(session?.expires_at.getTime(), app.clock.now().getTime() + 30 * 86_400_000, 'remembered as the first step said');
    });

    it('takes a code once, and none of a step before it', async () => {
      const ana = await account();
      const { secret } = await withTotp(ana);
      const one = new Browser();
      const code = codeOf(secret);
      assert.equal((await one.finish((await one.step(ana)).challenge, { code })).status, 200);
      const two = new Browser();
      const { challenge } = await two.step(ana);
      assert.equal((await two.finish(challenge, { code })).code, 'account.codeUsed');
      assert.equal((await two.finish(challenge, { code: codeOf(secret, -1) })).code, 'account.codeUsed');
      assert.equal((await two.finish(challenge, { code: codeOf(secret, 2) })).code, 'account.codeWrong');
      assert.equal((await two.finish(challenge, { code: ` ${codeOf(secret, 1).slice(0, 3)} ${codeOf(secret, 1).slice(3)}` })).status, 200);
    });

    it('two browsers that show one code at the same moment are one sign-in', async () => {
      const ana = await account();
      const { secret } = await withTotp(ana);
      const browsers = [new Browser(), new Browser(), new Browser()];
      const challenges = await Promise.all(browsers.map(async (browser) => (await browser.step(ana)).challenge));
      const answers = await Promise.all(
        browsers.map((browser, index) => browser.finish(challenges[index] ?? '', { code: codeOf(secret) })),
      );
      assert.deepEqual(answers.map(({ status, code }) => code ?? status).toSorted(), [200, 'account.codeUsed', 'account.codeUsed']);
    });

    it('is shown as text, as an address and as a picture, and is no factor before its first code', async () => {
      const ana = await account();
      const { token, password } = ana;
      const begun = await app.call(api.beginTotp, { token, body: { proof: { password } } });
      assert.match(begun.body.secret, /^[A-Z2-7]{32}$/);
      assert.match(begun.body.address, /^otpauth:\/\/totp\/Lavra:/);
      assert.match(begun.body.picture, /^data:image\/png;base64,/);
      assert.equal((await new Browser().enter(ana)).body.secondStep, undefined);
      assert.equal((await app.call(api.getSecondFactors, { token })).body.totp, null);
      assert.equal((await app.call(api.confirmTotp, { token, body: { code: '000000' } })).code, 'account.codeWrong');
      assert.equal((await app.call(api.confirmTotp, { token, body: { code: codeOf(begun.body.secret) } })).status, 200);
      assert.equal((await app.call(api.beginTotp, { token, body: { proof: { password } } })).code, 'account.totpExists');
      assert.deepEqual(await mailsTo(ana.email), [
        'Aplicativo autenticador adicionado à sua conta no Lavra',
        ...(await mailsTo(ana.email)).slice(1),
      ]);
    });

    it('its secret stands in the database encrypted alone', async () => {
      const ana = await account();
      const { secret } = await withTotp(ana);
      const { sealed_secret: sealed } = await app.ctx.db
        .selectFrom('totp')
        .selectAll()
        .where('user_id', '=', ana.id)
        .executeTakeFirstOrThrow();
      const plain = new TOTP({ secret }).secret.bytes;
      assert.equal(sealed.includes(Buffer.from(plain)), false);
      assert.deepEqual(new Uint8Array(app.ctx.secrets.decrypt('totp', sealed)), plain);
    });
  });

  describe('the challenge of the second step', () => {
    before(nextHour);

    it('is good once, for ten minutes, in the browser that it was given to', async () => {
      const ana = await account();
      const { secret } = await withTotp(ana);
      const browser = new Browser();
      const { challenge } = await browser.step(ana);
      const code = () => codeOf(secret);
      assert.equal((await new Browser().finish(challenge, { code: code() })).code, 'account.stepEnded', 'without the cookie');
      const thief = new Browser();
      await thief.step(ana);
      assert.equal((await thief.finish(challenge, { code: code() })).code, 'account.stepEnded', 'with another cookie');
      assert.equal((await browser.finish(challenge, { code: code() })).status, 200);
      app.clock.advance({ seconds: 30 });
      assert.equal((await browser.finish(challenge, { code: code() })).code, 'account.stepEnded', 'used');
      const late = await browser.step(ana);
      app.clock.advance({ minutes: 10, seconds: 1 });
      assert.equal((await browser.finish(late.challenge, { code: code() })).code, 'account.stepEnded', 'ten minutes old');
      assert.equal((await browser.finish('x', { code: code() })).code, 'account.stepEnded', 'invented');
    });

    it('ends with the fifth wrong answer', async () => {
      const ana = await account();
      const { secret } = await withTotp(ana);
      const browser = new Browser();
      const { challenge } = await browser.step(ana);
      for (let wrong = 0; wrong < 5; wrong += 1)
        assert.equal((await browser.finish(challenge, { backupCode: 'aaaa-aaaa-aaaa-aaaa' })).code, 'account.backupCodeWrong');
      assert.equal((await browser.finish(challenge, { code: codeOf(secret) })).code, 'account.stepEnded');
    });

    it('opens nothing for an account that was shut or whose password was replaced since the first step', async () => {
      const ana = await account();
      const { secret } = await withTotp(ana);
      const browser = new Browser();
      const { challenge } = await browser.step(ana);
      const replaced = await app.call(api.changePassword, {
        token: ana.token,
        body: { currentPassword: PASSWORD, newPassword: 'Outra456y' },
      });
      assert.equal(replaced.status, 204, replaced.code);
      assert.equal((await browser.finish(challenge, { code: codeOf(secret) })).code, 'account.loginNotFound');
      app.clock.advance({ seconds: 60 });
      const again = await browser.step({ email: ana.email, password: 'Outra456y' });
      assert.equal((await app.call(api.deactivateUser, { token: admin.token, params: { id: ana.id } })).status, 204);
      assert.equal((await browser.finish(again.challenge, { code: codeOf(secret) })).code, 'account.deactivated');
    });

    it('makes a device known with the second step alone', async () => {
      const ana = await account();
      const { secret } = await withTotp(ana);
      const browser = new Browser();
      const known = () => app.ctx.db.selectFrom('known_device').selectAll().where('user_id', '=', ana.id).execute();
      const before = (await known()).length;
      const { challenge } = await browser.step(ana);
      assert.equal((await known()).length, before);
      await browser.finish(challenge, { code: codeOf(secret) });
      assert.equal((await known()).length, before + 1);
    });

    it('shuts the account’s doors after ten wrong codes, tells its holder, and leaves a known device and a backup code a way in', async () => {
      const ana = await account();
      const { secret, backupCodes } = await withTotp(ana);
      const home = new Browser();
      assert.equal((await home.finish((await home.step(ana)).challenge, { code: codeOf(secret) })).status, 200);
      app.clock.advance({ seconds: 30 });
      for (let tries = 0; tries < 2; tries += 1) {
        const guesser = new Browser();
        const { challenge } = await guesser.step(ana);
        for (let wrong = 0; wrong < 5; wrong += 1)
          assert.equal((await guesser.finish(challenge, { code: '000000' })).code, 'account.codeWrong');
      }
      const eleventh = new Browser();
      const { challenge } = await eleventh.step(ana);
      const shut = await eleventh.finish(challenge, { code: codeOf(secret) });
      assert.deepEqual([shut.status, shut.code], [429, 'account.codesLocked'], 'a right code too');
      await eleventh.finish(challenge, { code: codeOf(secret) });
      assert.deepEqual((await mailsTo(ana.email)).filter((subject) => subject === 'Alguém sabe a sua senha do Lavra?').length, 1);
      assert.equal((await home.finish((await home.step(ana)).challenge, { code: codeOf(secret) })).status, 200);
      assert.equal((await eleventh.finish(challenge, { backupCode: backupCodes[0] ?? '' })).status, 200);
    });

    it('counts the codes of a browser that has only set a new password like every stranger’s', async () => {
      const ana = await account();
      const { secret } = await withTotp(ana);
      await app.call(api.requestPasswordReset, { body: { email: ana.email } });
      const thief = new Browser();
      const body = { key: await mailedKey(app, ana.email), newPassword: 'Outra456y' };
      assert.equal((await thief.call(api.finishPasswordReset, { body })).code, undefined);
      const theirs = { ...ana, password: 'Outra456y' };
      for (let tries = 0; tries < 2; tries += 1) {
        const { challenge } = await thief.step(theirs);
        for (let wrong = 0; wrong < 5; wrong += 1)
          assert.equal((await thief.finish(challenge, { code: '000000' })).code, 'account.codeWrong');
      }
      assert.equal((await thief.finish((await thief.step(theirs)).challenge, { code: '000000' })).code, 'account.codesLocked');
      assert.equal((await mailsTo(ana.email)).includes('Alguém sabe a sua senha do Lavra?'), true, 'its holder is told');
      app.clock.advance({ seconds: 30 });
      const other = new Browser();
      assert.equal((await other.finish((await other.step(theirs)).challenge, { code: codeOf(secret) })).code, 'account.codesLocked');
    });
  });

  describe('a backup code', () => {
    before(nextHour);

    it('opens a session once, however it is typed, and its holder is told', async () => {
      const ana = await account();
      const { backupCodes } = await withTotp(ana);
      assert.equal(new Set(backupCodes).size, 10);
      const [code = ''] = backupCodes;
      assert.match(code, /^[a-z0-9]{4}(-[a-z0-9]{4}){3}$/);
      const browser = new Browser();
      assert.equal(
        (await browser.finish((await browser.step(ana)).challenge, { backupCode: ` ${code.toUpperCase().replaceAll('-', ' ')}` })).status,
        200,
      );
      assert.equal((await browser.finish((await browser.step(ana)).challenge, { backupCode: code })).code, 'account.backupCodeWrong');
      assert.equal((await app.call(api.getSecondFactors, { token: ana.token })).body.backupCodesLeft, 9);
      assert.ok((await mailsTo(ana.email)).includes('Um código de reserva foi usado na sua conta no Lavra'));
      assert.ok((await logOf(ana.id)).includes('factor.used success backupCode'));
    });

    it('is kept as its hash, belongs to one account, and ends where new ones are made', async () => {
      const ana = await account();
      const bia = await account();
      const [one = ''] = (await withTotp(ana)).backupCodes;
      await withTotp(bia);
      const kept = await app.ctx.db.selectFrom('backup_code').select('code_hash').where('user_id', '=', ana.id).execute();
      for (const { code_hash: hash } of kept) assert.match(hash, /^[0-9a-f]{64}$/);
      const browser = new Browser();
      const { challenge } = await browser.step(bia);
      assert.equal((await browser.finish(challenge, { backupCode: one })).code, 'account.backupCodeWrong');
      const renewed = await app.call(api.renewBackupCodes, { token: ana.token, body: { proof: { password: PASSWORD } } });
      assert.equal(renewed.body.backupCodes.length, 10);
      const mine = await browser.step(ana);
      assert.equal((await browser.finish(mine.challenge, { backupCode: one })).code, 'account.backupCodeWrong');
      assert.equal((await browser.finish(mine.challenge, { backupCode: renewed.body.backupCodes[9] ?? '' })).status, 200);
    });
  });

  describe('a passkey', () => {
    before(nextHour);

    it('is a second factor beside the password', async () => {
      const ana = await account();
      const key = new Authenticator(testPublicUrl);
      await withPasskey(ana, key);
      const browser = new Browser();
      const { challenge, methods, passkey } = await browser.step(ana);
      assert.deepEqual(methods, ['passkey', 'backupCode']);
      assert.equal(passkey?.rpId, 'lavra.test');
      // The password was shown: a key that only feels a touch will do.
      const answer = key.get(passkey ?? assert.fail(), { verified: false });
      assert.equal((await browser.finish(challenge, { passkey: answer })).status, 200);
      assert.equal((await logOf(ana.id))[0], 'session.opened success password+passkey');
    });

    it('answers one challenge, once, of our pages alone, and never with a counter that went back', async () => {
      const ana = await account();
      const key = new Authenticator(testPublicUrl);
      await withPasskey(ana, key);
      const browser = new Browser();
      const first = await browser.step(ana);
      const request = first.passkey ?? assert.fail();
      const phished = key.get(request, { origin: 'https://lavra.test.example' });
      assert.equal((await browser.finish(first.challenge, { passkey: phished })).code, 'account.passkeyWrong');
      const answer = key.get(request);
      assert.equal((await browser.finish(first.challenge, { passkey: answer })).status, 200);
      const second = await browser.step(ana);
      assert.equal((await browser.finish(second.challenge, { passkey: answer })).code, 'account.passkeyWrong', 'an answer of before');
      const copied = key.get(second.passkey ?? assert.fail(), { counter: 1 });
      assert.equal((await browser.finish(second.challenge, { passkey: copied })).code, 'account.passkeyWrong', 'a copy');
      assert.equal((await browser.finish(second.challenge, { passkey: key.get(second.passkey ?? assert.fail()) })).status, 200);
    });

    it('of another account is no factor of this one, and is added to one account alone', async () => {
      const ana = await account();
      const bia = await account();
      const key = new Authenticator(testPublicUrl);
      await withPasskey(bia, key);
      await withPasskey(ana, new Authenticator(testPublicUrl));
      const browser = new Browser();
      const { challenge, passkey } = await browser.step(ana);
      const { allowCredentials: _, ...any } = passkey ?? assert.fail();
      assert.equal((await browser.finish(challenge, { passkey: key.get(any) })).code, 'account.passkeyWrong');
      const begun = await app.call(api.beginPasskey, { token: bia.token, body: { proof: { password: PASSWORD } } });
      const made = key.create(begun.body.passkey);
      assert.equal(
        (await app.call(api.addPasskey, { token: bia.token, body: { challenge: begun.body.challenge, passkey: made, name: 'A' } })).status,
        200,
      );
      const theirs = await app.call(api.beginPasskey, { token: ana.token, body: { proof: { password: PASSWORD } } });
      const again = await app.call(api.addPasskey, {
        token: ana.token,
        body: { challenge: begun.body.challenge, passkey: made, name: 'A' },
      });
      assert.equal(again.code, 'account.stepEnded', 'what was asked of another account');
      const answered = await app.call(api.addPasskey, {
        token: ana.token,
        body: { challenge: theirs.body.challenge, passkey: made, name: 'A' },
      });
      assert.equal(answered.code, 'account.passkeyWrong', 'made for another challenge');
    });

    it('signs in alone where it has seen its holder, and never where it has only felt a touch', async () => {
      const ana = await account();
      await withTotp(ana);
      const key = new Authenticator(testPublicUrl);
      await withPasskey(ana, key);
      const alone = async (verified: boolean, rememberMe = false) => {
        const browser = new Browser();
        const { challenge, passkey } = (await browser.call(api.beginPasskeySignIn)).body;
        assert.deepEqual([passkey.allowCredentials, passkey.userVerification], [undefined, 'required']);
        const body = { challenge, passkey: key.get(passkey, { verified }), rememberMe };
        return [await browser.call(api.finishPasskeySignIn, { body }), await browser.call(api.finishPasskeySignIn, { body })] as const;
      };
      const [opened, again] = await alone(true);
      assert.equal((await app.call(api.getAccount, { token: opened.body.id_token })).body.email, ana.email);
      assert.equal(again.code, 'account.stepEnded');
      assert.equal((await logOf(ana.id))[0], 'session.opened success passkey');
      const [touched, retried] = await alone(false);
      assert.deepEqual([touched.code, retried.code], ['account.passkeyWrong', 'account.stepEnded']);
      const stranger = new Authenticator(testPublicUrl);
      stranger.create({
        rp: { id: 'lavra.test', name: '' },
        user: { id: 'AAAA', name: '', displayName: '' },
        challenge: 'AAAA',
        pubKeyCredParams: [],
      });
      const browser = new Browser();
      const { challenge, passkey } = (await browser.call(api.beginPasskeySignIn)).body;
      const unknown = await browser.call(api.finishPasskeySignIn, { body: { challenge, passkey: stranger.get(passkey) } });
      assert.equal(unknown.code, 'account.passkeyWrong');
    });

    it('has a name that its holder gives it, and the time of its last use', async () => {
      const ana = await account();
      const key = new Authenticator(testPublicUrl);
      const id = await withPasskey(ana, key, '  Meu   celular ');
      const { token } = ana;
      const listed = async () => (await app.call(api.getSecondFactors, { token })).body.passkeys;
      assert.deepEqual(await listed(), [
        { id, name: 'Meu celular', synced: false, createdDate: app.clock.now().toISOString(), lastUsedDate: null },
      ]);
      assert.equal((await app.call(api.renamePasskey, { token, params: { id }, body: { name: ' ' } })).code, 'record.nameRequired');
      assert.equal(
        (await app.call(api.renamePasskey, { token, params: { id }, body: { name: 'x'.repeat(51) } })).code,
        'record.nameTooLong',
      );
      assert.equal((await app.call(api.renamePasskey, { token, params: { id }, body: { name: 'Chaveiro' } })).status, 204);
      app.clock.advance({ minutes: 1 });
      const browser = new Browser();
      const { challenge, passkey } = await browser.step(ana);
      await browser.finish(challenge, { passkey: key.get(passkey ?? assert.fail()) });
      assert.deepEqual(
        (await listed()).map(({ name, lastUsedDate }) => [name, lastUsedDate]),
        [['Chaveiro', app.clock.now().toISOString()]],
      );
    });

    it('is not offered where the product’s address is an IP address', async () => {
      const { publicUrl } = app.ctx;
      assert.equal(publicUrl, testPublicUrl);
      const { arePasskeysOffered } = await import('./passkeys.ts');
      assert.deepEqual(
        ['https://assina.exemplo.com.br', 'http://localhost:8080', 'http://127.0.0.1:8080', 'https://[::1]'].map((url) =>
          arePasskeysOffered({ ...app.ctx, publicUrl: url }),
        ),
        [true, true, false, false],
      );
    });
  });

  describe('a change of the factors', () => {
    before(nextHour);

    it('takes the password again, or a factor of the account', async () => {
      const ana = await account();
      const { token } = ana;
      const { secret } = await withTotp(ana);
      const key = new Authenticator(testPublicUrl);
      const remove = (proof: api.Proof) => app.call(api.removeTotp, { token, body: { proof } });
      assert.equal((await remove({})).code, 'request.invalid');
      assert.equal((await remove({ password: 'Errada123' })).code, 'account.incorrectPassword');
      assert.equal((await remove({ code: '000000' })).code, 'account.codeWrong');
      await withPasskey(ana, key);
      const asked = (await app.call(api.askPasskey, { token })).body;
      assert.equal(
        (await remove({ passkey: { challenge: asked.challenge, answer: key.get(asked.passkey, { origin: 'https://x.example' }) } })).code,
        'account.passkeyWrong',
      );
      assert.equal((await remove({ passkey: { challenge: asked.challenge, answer: key.get(asked.passkey) } })).code, 'account.stepEnded');
      const anew = (await app.call(api.askPasskey, { token })).body;
      const renewed = await app.call(api.renewBackupCodes, {
        token,
        body: { proof: { passkey: { challenge: anew.challenge, answer: key.get(anew.passkey) } } },
      });
      assert.equal(renewed.status, 200, renewed.code);
      assert.equal((await remove({ code: codeOf(secret) })).status, 204);
      assert.ok((await logOf(ana.id)).includes('factor.refused refused account.incorrectPassword'));
      assert.ok((await logOf(ana.id)).includes('factor.removed success totp'));
    });

    it('takes the backup codes along with the last factor, and the sign-in is one step again', async () => {
      const ana = await account();
      const { token } = ana;
      await withTotp(ana);
      assert.equal((await app.call(api.removeTotp, { token, body: { proof: { password: PASSWORD } } })).status, 204);
      const { totp, passkeys, backupCodesLeft } = (await app.call(api.getSecondFactors, { token })).body;
      assert.deepEqual([totp, passkeys, backupCodesLeft], [null, [], 0]);
      assert.notEqual((await new Browser().enter(ana)).body.id_token, undefined);
      assert.ok((await mailsTo(ana.email)).includes('Aplicativo autenticador removido da sua conta no Lavra'));
    });
  });

  describe('an installation that requires a second factor', () => {
    before(nextHour);

    it('of administrators asks them alone; the account gets one at its next sign-in, and no session before', async () => {
      const boss = await account();
      await app.ctx.db
        .updateTable('app_user')
        .set({ authorities: ['ROLE_USER', 'ROLE_ADMIN'] })
        .where('id', '=', boss.id)
        .execute();
      const ana = await account();
      assert.equal((await require('administrators')).status, 204);
      try {
        assert.notEqual((await new Browser().enter(ana)).body.id_token, undefined);
        const browser = new Browser();
        const { challenge, enrol, methods } = await browser.step(boss);
        assert.deepEqual([enrol, methods], [true, []]);
        assert.equal((await browser.finish(challenge, { code: '000000' })).code, 'account.codeWrong');
        const begun = await browser.call(api.beginSecondFactor, { body: { challenge, kind: 'totp' } });
        const { secret = '' } = begun.body.totp ?? assert.fail();
        assert.equal((await new Browser().call(api.beginSecondFactor, { body: { challenge, kind: 'totp' } })).code, 'account.stepEnded');
        const wrong = await browser.call(api.finishSecondFactor, { body: { challenge, code: '000000' } });
        assert.equal(wrong.code, 'account.codeWrong');
        const done = await browser.call(api.finishSecondFactor, { body: { challenge, code: codeOf(secret) } });
        assert.equal(done.status, 200, done.code);
        assert.equal(done.body.backupCodes?.length, 10);
        assert.equal((await app.call(api.getAccount, { token: done.body.id_token })).body.email, boss.email);
        const { status, code } = await app.call(api.removeTotp, { token: done.body.id_token, body: { proof: { password: PASSWORD } } });
        assert.deepEqual([status, code], [409, 'account.secondFactorRequired']);
        assert.equal((await app.call(api.getSecondFactors, { token: boss.token })).body.totp === null, false, 'it is still there');
      } finally {
        await require('nobody');
      }
    });

    it('of everybody lets a passkey be made in the second step, under a name; what another browser added meanwhile is asked for instead', async () => {
      const ana = await account();
      await require('everybody');
      try {
        const browser = new Browser();
        const other = new Browser();
        const { challenge } = await browser.step(ana);
        const waiting = await other.step(ana);
        const key = new Authenticator(testPublicUrl);
        const begun = await browser.call(api.beginSecondFactor, { body: { challenge, kind: 'passkey' } });
        const passkey = key.create(begun.body.passkey ?? assert.fail());
        assert.equal((await browser.call(api.finishSecondFactor, { body: { challenge, passkey, name: '' } })).code, 'record.nameRequired');
        const done = await browser.call(api.finishSecondFactor, { body: { challenge, passkey, name: 'Notebook' } });
        assert.equal(done.status, 200, done.code);
        assert.equal(
          (await other.call(api.beginSecondFactor, { body: { challenge: waiting.challenge, kind: 'totp' } })).code,
          'account.stepEnded',
        );
        assert.deepEqual((await other.step(ana)).methods, ['passkey', 'backupCode']);
      } finally {
        await require('nobody');
      }
    });

    it('keeps no factor of a first step that opens nothing any more: the password was replaced, or the account shut', async () => {
      nextHour();
      const [ana, rui] = [await account(), await account()];
      await require('everybody');
      try {
        const [one, two] = [new Browser(), new Browser()];
        const [mine, theirs] = [(await one.step(ana)).challenge, (await two.step(rui)).challenge];
        const key = new Authenticator(testPublicUrl);
        const begun = await one.call(api.beginSecondFactor, { body: { challenge: mine, kind: 'passkey' } });
        const made = key.create(begun.body.passkey ?? assert.fail('no passkey was asked for'));
        const offered = await two.call(api.beginSecondFactor, { body: { challenge: theirs, kind: 'totp' } });
        const newPassword = { currentPassword: PASSWORD, newPassword: 'Outra456y' };
        assert.equal((await app.call(api.changePassword, { token: ana.token, body: newPassword })).code, undefined);
        await app.call(api.deactivateUser, { token: admin.token, params: { id: rui.id } });
        const passkey = await one.call(api.finishSecondFactor, { body: { challenge: mine, passkey: made, name: 'Chave' } });
        assert.equal(passkey.code, 'account.loginNotFound');
        const code = codeOf(offered.body.totp?.secret ?? '');
        const totp = await two.call(api.finishSecondFactor, { body: { challenge: theirs, code } });
        assert.equal(totp.code, 'account.deactivated');
        const asked = await one.call(api.beginPasskeySignIn);
        const answer = { challenge: asked.body.challenge, passkey: key.get(asked.body.passkey) };
        assert.equal((await one.call(api.finishPasskeySignIn, { body: answer })).code, 'account.passkeyWrong');
        const rows = await app.ctx.db
          .selectFrom('totp')
          .selectAll()
          .where('user_id', '=', rui.id)
          .where('confirmed_at', 'is not', null)
          .execute();
        assert.equal(rows.length, 0);
        assert.equal(
          (await logOf(ana.id)).some((line) => line.startsWith('factor.added')),
          false,
        );
      } finally {
        await require('nobody');
      }
    });

    it('says so in the administration, counts who has one, and the change is recorded', async () => {
      const read = async () => (await app.call(api.getSecondFactorPolicy, { token: admin.token })).body;
      const before = await read();
      assert.equal(before.requiredOf, 'nobody');
      await withTotp(await account());
      const { accounts, withFactor } = await read();
      assert.deepEqual([accounts - before.accounts, withFactor - before.withFactor], [1, 1]);
      await require('everybody');
      await require('everybody');
      await require('nobody');
      const rows = await app.ctx.db
        .selectFrom('audit_event')
        .selectAll()
        .where('kind', '=', 'factor.policy')
        .orderBy('id', 'desc')
        .limit(2)
        .execute();
      assert.deepEqual(
        rows.map(({ account_id: by, details }) => [by, details]),
        [
          [admin.id, { requiredOf: ['everybody', 'nobody'] }],
          [admin.id, { requiredOf: ['nobody', 'everybody'] }],
        ],
      );
      const ana = await account();
      assert.equal((await app.call(api.saveSecondFactorPolicy, { token: ana.token, body: { requiredOf: 'nobody' } })).status, 403);
    });
  });

  describe('a reset by an administrator', () => {
    before(nextHour);

    it('takes every factor away, ends the sessions, tells the account’s holder and is recorded', async () => {
      const ana = await account();
      await withTotp(ana);
      await withPasskey(ana, new Authenticator(testPublicUrl));
      const waiting = new Browser();
      const { challenge } = await waiting.step(ana);
      const reset = (token: string, id: string) => app.call(api.resetSecondFactor, { token, params: { id } });
      assert.equal((await reset(ana.token, ana.id)).status, 403);
      assert.equal((await reset(admin.token, ana.id)).status, 204);
      assert.equal((await app.call(api.getAccount, { token: ana.token })).status, 401);
      assert.equal((await waiting.finish(challenge, { code: '000000' })).code, 'account.stepEnded');
      assert.notEqual((await new Browser().enter(ana)).body.id_token, undefined);
      assert.ok((await mailsTo(ana.email)).includes('Verificação em duas etapas zerada na sua conta no Lavra'));
      const [row] = await app.ctx.db.selectFrom('audit_event').selectAll().where('kind', '=', 'factor.reset').execute();
      assert.deepEqual([row?.account_id, row?.subject_id], [admin.id, ana.id]);
    });

    it('is not for the administrator’s own, and not for an account that is not there', async () => {
      const reset = (id: string) => app.call(api.resetSecondFactor, { token: admin.token, params: { id } });
      assert.equal((await reset(admin.id)).code, 'account.ownSecondFactor');
      assert.equal((await reset(crypto.randomUUID())).status, 404);
      assert.equal((await reset('x')).status, 404);
    });
  });

  describe('npm run reset-factors', () => {
    before(nextHour);

    const command = async (...args: string[]) => {
      const lines: string[] = [];
      return { code: await runResetFactors(app.ctx, args, (line) => void lines.push(line)), text: lines.join('\n') };
    };

    it('is the way back of an administrator who lost every factor: sessions end, it is told by mail and recorded, once', async () => {
      const lost = await account();
      const { secret } = await withTotp(lost);
      await withPasskey(lost, new Authenticator(testPublicUrl));
      assert.equal((await command(lost.email.toUpperCase())).code, 0);
      assert.equal((await app.call(api.getAccount, { token: lost.token })).status, 401);
      const { body } = await new Browser().enter(lost);
      assert.notEqual(body.id_token, undefined, 'the password alone opens it again');
      assert.notEqual((await new Browser().enter({ ...lost, password: codeOf(secret) })).status, 200);
      const told = (await mailsTo(lost.email)).filter((subject) => subject === 'Verificação em duas etapas zerada na sua conta no Lavra');
      assert.equal(told.length, 1);
      const again = await command(lost.email);
      assert.deepEqual([again.code, again.text], [0, 'Esta conta não tem verificação em duas etapas: nada mudou.']);
      const rows = await app.ctx.db.selectFrom('audit_event').selectAll().where('subject_id', '=', lost.id).execute();
      assert.deepEqual(
        rows.map(({ kind, outcome, reason, account_id: by, source }) => [kind, outcome, reason, by, source]),
        [['factor.reset', 'success', 'command', null, null]],
      );
    });

    it('says when there is no such account, and explains itself when it is not understood', async () => {
      assert.equal((await command('ninguem@exemplo.com.br')).code, 1);
      assert.equal((await command('sem-arroba')).code, 1);
      for (const args of [[], ['a@exemplo.com.br', 'b@exemplo.com.br'], ['--help']]) {
        const { code, text } = await command(...args);
        assert.equal(code, 2);
        assert.match(text, /npm run reset-factors -- EMAIL/);
      }
    });
  });
});
