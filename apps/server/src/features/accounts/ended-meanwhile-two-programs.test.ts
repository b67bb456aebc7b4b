import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as api from '@lavra/api';
import { TOTP } from 'otpauth';
import { cookieOf, signIn } from '../../testing/accounts.ts';
import { Authenticator } from '../../testing/authenticator.ts';
import type { Passing } from '../../testing/database-door.ts';
import { startTwoPrograms, type TwoPrograms, twoProgramsUrl, whileHeld } from '../../testing/two-programs.ts';

const password = 'Segredo123';
/** One that is good now and for as long as a step lasts. */
const codeOf = (secret: string, steps: number) => new TOTP({ secret }).generate({ timestamp: Date.now() + (steps + 1) * 30_000 });

/** The nth time that an account is held from now on. */
function holdsAccount(nth: number) {
  let seen = 0;
  return ({ text }: Passing) => text.includes('from "app_user"') && text.endsWith('for update') && (seen += 1) === nth;
}

/** What a sign-in or a session was good for is taken away at one program, between the other one's look at it and its act. */
describe('what ends at one program while the other acts on it', () => {
  let two: TwoPrograms;
  let administrator: string;
  let accounts = 0;
  before(async () => {
    two = await startTwoPrograms();
    const first = { login: 'adm@exemplo.com.br', email: 'adm@exemplo.com.br', firstName: 'Adm', password };
    await two.at(0).call(api.register, { body: first });
    administrator = await signIn(two.at(1), first);
  });
  after(() => two[Symbol.asyncDispose]());

  async function account() {
    const email = `conta${(accounts += 1)}@exemplo.com.br`;
    await two.at(0).call(api.register, { body: { login: email, email, firstName: 'Ana', password } });
    const [row] = await two.rows<{ id: string }>('update app_user set activated = true where email = $1 returning id', [email]);
    return { id: row?.id ?? assert.fail(), email, token: await signIn(two.at(0), { email, password }) };
  }
  type Account = Awaited<ReturnType<typeof account>>;
  const openSessions = async ({ id }: Account) =>
    (await two.rows('select 1 from session where user_id = $1 and revoked_at is null', [id])).length;

  async function withPasskey(who: Account) {
    const authenticator = new Authenticator(twoProgramsUrl);
    const { body } = await two.at(0).call(api.beginPasskey, { token: who.token, body: { proof: { password } } });
    const passkey = authenticator.create(body.passkey);
    const added = await two.at(0).call(api.addPasskey, { token: who.token, body: { challenge: body.challenge, passkey, name: 'Chave' } });
    assert.equal(added.status, 200, added.code);
    return { authenticator, credential: passkey.id, id: added.body.id, backupCodes: added.body.backupCodes ?? [] };
  }
  async function withTotp(who: Account) {
    const { body } = await two.at(0).call(api.beginTotp, { token: who.token, body: { proof: { password } } });
    const confirmed = await two.at(0).call(api.confirmTotp, { token: who.token, body: { code: codeOf(body.secret, -1) } });
    assert.equal(confirmed.status, 200, confirmed.code);
    return { secret: body.secret, backupCodes: confirmed.body.backupCodes ?? [] };
  }
  const removePasskey = ({ token }: Account, id: string) =>
    two.at(1).call(api.removePasskey, { token, params: { id }, body: { proof: { password } } });
  const removeTotp = ({ token }: Account) => two.at(1).call(api.removeTotp, { token, body: { proof: { password } } });
  const reset = ({ id }: Account) => two.at(1).call(api.resetSecondFactor, { token: administrator, params: { id } });

  async function asked(who: Account) {
    const answer = await two.at(0).call(api.authenticate, { body: { username: who.email, password } });
    return { step: answer.body.secondStep ?? assert.fail(answer.code), headers: { cookie: cookieOf(answer.raw) } };
  }
  /** Held between the look at what was shown and the session. */
  async function entering(
    enter: () => Promise<{ status: number; code: string | undefined }>,
    end: () => Promise<{ status: number; code?: string | undefined }>,
  ) {
    const [entered, ended] = await whileHeld(two.doors[0], holdsAccount(2), enter, end);
    assert.ok(ended.status < 300, ended.code);
    return entered.code ?? entered.status;
  }

  it('a passkey that is removed opens no session', async () => {
    const who = await account();
    const { authenticator, credential, id } = await withPasskey(who);
    const { body, raw } = await two.at(0).call(api.beginPasskeySignIn);
    const passkey = authenticator.get({ ...body.passkey, allowCredentials: [{ id: credential, type: 'public-key' }] });
    const before = await openSessions(who);
    const enter = () =>
      two.at(0).call(api.finishPasskeySignIn, { headers: { cookie: cookieOf(raw) }, body: { challenge: body.challenge, passkey } });
    assert.equal(await entering(enter, () => removePasskey(who, id)), 'account.passkeyWrong');
    assert.equal(await openSessions(who), before);
  });

  it('a second step opens no session with a factor that is gone by then', async () => {
    for (const [kind, end] of [
      ['totp', removeTotp],
      ['totp', reset],
      ['backupCode', reset],
      ['passkey', reset],
    ] as const) {
      const who = await account();
      const shown =
        kind === 'passkey'
          ? await withPasskey(who).then(({ authenticator }) => ({
              make: (step: api.SecondStep) => ({ passkey: authenticator.get(step.passkey ?? assert.fail()) }),
            }))
          : await withTotp(who).then(({ secret, backupCodes }) => ({
              make: () => (kind === 'totp' ? { code: codeOf(secret, 0) } : { backupCode: backupCodes[0] }),
            }));
      const { step, headers } = await asked(who);
      const enter = () => two.at(0).call(api.finishSignIn, { headers, body: { challenge: step.challenge, ...shown.make(step) } });
      const left = await openSessions(who);
      assert.equal(await entering(enter, () => end(who)), 'account.stepEnded', `${kind} ${end.name}`);
      assert.equal(await openSessions(who), end === reset ? 0 : left);
    }
  });

  it('a factor that the first sign-in makes opens no session once an administrator has taken it away', async () => {
    const who = await account();
    const demand = (requiredOf: 'everybody' | 'nobody') =>
      two.at(1).call(api.saveSecondFactorPolicy, { token: administrator, body: { requiredOf } });
    assert.equal((await demand('everybody')).status, 204);
    const { step, headers } = await asked(who);
    const { challenge } = step;
    const begun = await two.at(0).call(api.beginSecondFactor, { headers, body: { challenge, kind: 'totp' } });
    const code = codeOf(begun.body.totp?.secret ?? assert.fail(begun.code), 0);
    // Held twice before it is kept.
    const enter = () => two.at(0).call(api.finishSecondFactor, { headers, body: { challenge, code } });
    const [entered] = await whileHeld(two.doors[0], holdsAccount(3), enter, () => reset(who));
    assert.equal((await demand('nobody')).status, 204);
    assert.deepEqual([entered.code, await openSessions(who)], ['account.stepEnded', 0]);
  });

  it('a session that a new password has ended adds no way in', async () => {
    for (const kind of ['passkey', 'totp'] as const) {
      const who = await account();
      const holder = await signIn(two.at(1), { email: who.email, password });
      const changed = () =>
        two.at(1).call(api.changePassword, { token: holder, body: { currentPassword: password, newPassword: 'Tinteiro7abc' } });
      const add = await adding(who, kind);
      const [added, ended] = await whileHeld(two.doors[0], holdsAccount(1), add, changed);
      assert.ok(ended.status < 300, ended.code);
      assert.equal(added.code, 'request.unauthorized', kind);
      const confirmed = kind === 'totp' ? 'and confirmed_at is not null' : '';
      assert.deepEqual(await two.rows(`select 1 from ${kind} where user_id = $1 ${confirmed}`, [who.id]), []);
    }
  });

  async function adding(who: Account, kind: 'passkey' | 'totp'): Promise<() => Promise<{ code: string | undefined; status: number }>> {
    if (kind === 'totp') {
      const { body } = await two.at(0).call(api.beginTotp, { token: who.token, body: { proof: { password } } });
      return () => two.at(0).call(api.confirmTotp, { token: who.token, body: { code: codeOf(body.secret, 0) } });
    }
    const { body } = await two.at(0).call(api.beginPasskey, { token: who.token, body: { proof: { password } } });
    const passkey = new Authenticator(twoProgramsUrl).create(body.passkey);
    return () => two.at(0).call(api.addPasskey, { token: who.token, body: { challenge: body.challenge, passkey, name: 'Chave' } });
  }
});
