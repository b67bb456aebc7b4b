import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as api from '@lavra/api';
import { TOTP } from 'otpauth';
import { cookieOf, signIn } from '../../testing/accounts.ts';
import { Authenticator } from '../../testing/authenticator.ts';
import type { Passing } from '../../testing/database-door.ts';
import { createDraft, soon } from '../../testing/processes.ts';
import { startTwoPrograms, type TwoPrograms, twoProgramsUrl, whileHeld } from '../../testing/two-programs.ts';

const password = 'Segredo123';
/** One that is good now and for as long as a step lasts. */
const codeOf = (secret: string, steps: number) => new TOTP({ secret }).generate({ timestamp: Date.now() + (steps + 1) * 30_000 });
const holdsAccount = ({ text }: Passing) => text.includes('from "app_user"') && text.endsWith('for update');
const holdsRegistration = ({ text }: Passing) => text.includes('lavra:registration');

/** The first one has read all that it decides on, and is held before it takes it, while the second one takes it. */
describe('what is good once, shown to two programs', () => {
  let two: TwoPrograms;
  let accounts = 0;
  before(async () => {
    two = await startTwoPrograms();
    const first = ['um', 'dois'].map((name) => ({ login: '', email: `${name}@exemplo.com.br`, firstName: 'Ana', password }));
    await Promise.all(first.map((body, index) => two.at(index as 0 | 1).call(api.register, { body: { ...body, login: body.email } })));
  });
  after(() => two[Symbol.asyncDispose]());

  async function registered() {
    const email = `conta${(accounts += 1)}@exemplo.com.br`;
    const made = await two.at(0).call(api.register, { body: { login: email, email, firstName: 'Ana', password } });
    assert.equal(made.status, 200, made.code);
    return { email, password };
  }
  async function account() {
    const made = await registered();
    await two.rows('update app_user set activated = true where email = $1', [made.email]);
    return { ...made, token: await signIn(two.at(0), made) };
  }
  async function mailedTo(email: string, shape: RegExp): Promise<string> {
    let found: string | undefined;
    await soon(`a mail to ${email}`, async () => {
      const mails = (await two.mailbox.list()).filter(({ to }) => to === email);
      found = mails.map(({ text }) => shape.exec(text)?.[1]).find((one) => one !== undefined);
      return found !== undefined;
    });
    return found ?? '';
  }
  const keyTo = (email: string) => mailedTo(email, /[?&]key=([\w-]+)/);

  /** Shows it at both, the first held; what each says of it, in this order. */
  async function shown<Answer extends { status: number; code: string | undefined }>(
    show: (index: 0 | 1) => Promise<Answer>,
    held: (statement: Passing) => boolean = holdsAccount,
  ) {
    const [first, second] = await whileHeld(
      two.doors[0],
      held,
      () => show(0),
      () => show(1),
    );
    return [second.code ?? second.status, first.code ?? first.status];
  }
  const sessions = async (email: string) =>
    (await two.rows('select 1 from session join app_user u on u.id = user_id where u.email = $1', [email])).length;

  /** A browser with its cookie, which has shown the password. */
  async function asked(who: { email: string }) {
    const answer = await two.at(0).call(api.authenticate, { body: { username: who.email, password } });
    const step = answer.body.secondStep ?? assert.fail(answer.code);
    return { step, headers: { cookie: cookieOf(answer.raw) } };
  }
  async function withTotp() {
    const who = await account();
    const { body } = await two.at(0).call(api.beginTotp, { token: who.token, body: { proof: { password } } });
    // Of this step: the next one, which is taken too, is good for what comes.
    const confirmed = await two.at(1).call(api.confirmTotp, { token: who.token, body: { code: codeOf(body.secret, -1) } });
    return { ...who, secret: body.secret, backupCodes: confirmed.body.backupCodes ?? assert.fail(confirmed.code) };
  }

  it('the first account administers, and is one of two that register at once', async () => {
    const [administrators] = await two.rows<{ n: number }>(`select count(*)::int as n from app_user where 'ROLE_ADMIN' = any(authorities)`);
    assert.equal(administrators?.n, 1);
  });

  it('a code of an app and a backup code open one session', async () => {
    const who = await withTotp();
    for (const [given, refusal] of [
      [{ code: codeOf(who.secret, 0) }, 'account.codeUsed'],
      [{ backupCode: who.backupCodes[0] }, 'account.backupCodeWrong'],
    ] as const) {
      const before = await sessions(who.email);
      const browsers = [await asked(who), await asked(who)] as const;
      const finish = (index: 0 | 1) => {
        const { step, headers } = browsers[index];
        return two.at(index).call(api.finishSignIn, { headers, body: { challenge: step.challenge, ...given } });
      };
      assert.deepEqual(await shown(finish), [200, refusal]);
      assert.equal((await sessions(who.email)) - before, 1);
    }
  });

  it('a second step is taken once, be its answers two', async () => {
    const who = await withTotp();
    const { step, headers } = await asked(who);
    const finish = (index: 0 | 1) =>
      two.at(index).call(api.finishSignIn, { headers, body: { challenge: step.challenge, backupCode: who.backupCodes[index] } });
    assert.deepEqual(await shown(finish), [200, 'account.stepEnded']);
    const [left] = await two.rows<{ n: number }>(
      'select count(*)::int as n from backup_code b join app_user u on u.id = b.user_id where u.email = $1 and b.used_at is null',
      [who.email],
    );
    assert.equal(left?.n, 9, 'the code that came too late is not used up');
  });

  it('an app is confirmed once, with one set of backup codes', async () => {
    const who = await account();
    const { body } = await two.at(0).call(api.beginTotp, { token: who.token, body: { proof: { password } } });
    const confirm = (index: 0 | 1) =>
      two.at(index).call(api.confirmTotp, { token: who.token, body: { code: codeOf(body.secret, index === 0 ? 0 : -1) } });
    assert.deepEqual(await shown(confirm), [200, 'account.stepEnded']);
  });

  it('a challenge makes one passkey, and one sign-in by it', async () => {
    const [who, authenticator] = [await account(), new Authenticator(twoProgramsUrl)];
    const begun = await two.at(0).call(api.beginPasskey, { token: who.token, body: { proof: { password } } });
    const { challenge, passkey } = begun.body;
    const made = [authenticator.create(passkey), authenticator.create(passkey)] as const;
    const add = (index: 0 | 1) =>
      two.at(index).call(api.addPasskey, { token: who.token, body: { challenge, passkey: made[index], name: 'Chave' } });
    assert.deepEqual(await shown(add), [200, 'account.stepEnded']);
    const before = await sessions(who.email);
    const asking = await two.at(0).call(api.beginPasskeySignIn);
    const headers = { cookie: cookieOf(asking.raw) };
    const answers = [0, 1].map(() =>
      authenticator.get({ ...asking.body.passkey, allowCredentials: [{ id: made[1].id, type: 'public-key' }] }),
    );
    const enter = (index: 0 | 1) =>
      two.at(index).call(api.finishPasskeySignIn, {
        headers,
        body: { challenge: asking.body.challenge, passkey: answers[index] ?? assert.fail() },
      });
    assert.deepEqual(await shown(enter), [200, 'account.stepEnded']);
    assert.equal((await sessions(who.email)) - before, 1);
  });

  it('a mailed key resets one password, activates once and changes the address once', async () => {
    const who = await account();
    await two.at(0).call(api.requestPasswordReset, { body: who.email });
    const reset = await mailedTo(who.email, /reset\S*[?&]key=([\w-]+)/);
    const passwords = ['Tinteiro7a', 'Tinteiro7b'] as const;
    const set = (index: 0 | 1) => two.at(index).call(api.finishPasswordReset, { body: { key: reset, newPassword: passwords[index] } });
    assert.deepEqual(await shown(set), [204, 'account.keyInvalid']);
    const token = await signIn(two.at(0), { email: who.email, password: passwords[1] });

    const stranger = await registered();
    const key = await keyTo(stranger.email);
    const activate = (index: 0 | 1) =>
      two.at(index).call(api.confirmAccount, { body: { key, newPassword: passwords[index], firstName: 'Bia' } });
    assert.deepEqual(await shown(activate), [204, 'account.keyInvalid']);
    await signIn(two.at(0), { email: stranger.email, password: passwords[1] });

    const email = 'nova@exemplo.com.br';
    const body = { firstName: 'Ana', lastName: '', langKey: 'pt-br', email, currentPassword: passwords[1] } as const;
    assert.equal((await two.at(0).call(api.saveAccount, { token, body })).status, 204);
    const change = await keyTo(email);
    const confirm = (index: 0 | 1) => two.at(index).call(api.confirmEmail, { token, body: { key: change } });
    assert.deepEqual(await shown(confirm, holdsRegistration), [200, 'account.keyInvalid']);
  });

  it('a link for a new password that is being written to an address is dead with it, once another took its place', async () => {
    const who = await account();
    const email = 'depois@exemplo.com.br';
    const body = { firstName: 'Ana', lastName: '', langKey: 'pt-br', email, currentPassword: password } as const;
    await two.at(0).call(api.saveAccount, { token: who.token, body });
    const key = await keyTo(email);
    const { promise: isDone, resolve: done } = Promise.withResolvers<void>();
    const { promise: isThere, resolve: there } = Promise.withResolvers<void>();
    const writesKey = ({ text, values }: Passing) => text.startsWith('insert into "account_key"') && values.includes('reset');
    // Whichever runs the job.
    for (const door of two.doors) door.holdNext(writesKey, () => (there(), isDone));
    await two.at(0).call(api.requestPasswordReset, { body: who.email });
    await isThere;
    const confirming = two.at(1).call(api.confirmEmail, { token: who.token, body: { key } });
    let isAnswered = false;
    void confirming.then(() => (isAnswered = true));
    const waiting = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
    await soon('answered, or waiting', async () => isAnswered || (await two.rows(waiting)).length > 0);
    done();
    assert.equal((await confirming).status, 200);
    const reset = await mailedTo(who.email, /reset\S*[?&]key=([\w-]+)/);
    const set = await two.at(1).call(api.finishPasswordReset, { body: { key: reset, newPassword: 'Tinteiro7c' } });
    assert.equal(set.code, 'account.keyInvalid');
  });

  it('a session is renewed at both to one generation of its secret, and ends where an older one is shown', async () => {
    const who = await account();
    const entered = await two.at(0).call(api.authenticate, { body: { username: who.email, password } });
    const headers = { cookie: cookieOf(entered.raw), authorization: `Bearer ${entered.body.id_token}` };
    const cookies: string[] = [];
    const renew = async (index: 0 | 1) => {
      const answer = await two.at(index).call(api.refreshSession, { headers });
      cookies.push(cookieOf(answer.raw));
      return answer;
    };
    const holdsDevice = ({ text }: Passing) => text.includes('from "device"') && text.endsWith('for update');
    assert.deepEqual(await shown(renew, holdsDevice), [200, 200]);
    assert.equal(new Set(cookies).size, 1);
    assert.notEqual(cookies[0], headers.cookie);
    // Longer ago than any tab could have missed.
    await two.rows(`update device set rotated_at = rotated_at - interval '3 minutes'`);
    const stolen = await two.at(1).call(api.refreshSession, { headers });
    assert.equal(stolen.code, 'request.unauthorized');
    const rightful = await two.at(0).call(api.refreshSession, { headers: { ...headers, cookie: cookies[0] ?? '' } });
    assert.equal(rightful.code, 'request.unauthorized');
  });

  it('a signer’s code gives one link', async () => {
    const who = await account();
    const email = 'copiada@exemplo.com.br';
    const draft = await createDraft(two.at(0), who, { signers: [{ name: 'Cora', email }] });
    await two.at(0).call(api.startSignatureProcess, { token: who.token, params: { id: draft.id } });
    await soon('prepared', async () => {
      const [row] = await two.rows<{ at: Date | null }>('select prepared_at as at from signature_process where id = $1', [draft.id]);
      return row?.at !== null;
    });
    const query = { signerId: draft.signerIds[0] ?? '' };
    const link = await two.at(0).call(api.getCurrentLinkSignature, { token: who.token, params: { processId: draft.id }, query });
    const signerId = /user=([\w-]+)/.exec(link.body.link)?.[1] ?? '';
    assert.equal((await two.at(0).call(api.askLinkCode, { params: { signerId } })).status, 204);
    const code = await mailedTo(email, /\b(\d{6})\b/);
    const confirm = (index: 0 | 1) => two.at(index).call(api.confirmLinkCode, { params: { signerId }, body: { code } });
    const holdsProcess = ({ text }: Passing) => text.includes('signature_process') && /for (no key )?update/.test(text);
    assert.deepEqual(await shown(confirm, holdsProcess), [200, 'signer.codeWrong']);
    const [links] = await two.rows<{ n: number }>(
      `select count(*)::int as n from signer_link where signer_id = $1 and channel = 'confirmed'`,
      [query.signerId],
    );
    const [told] = await two.rows<{ n: number }>(
      `select count(*)::int as n from event where signature_process_id = $1 and type = 'link.confirmed'`,
      [draft.id],
    );
    assert.deepEqual([links?.n, told?.n], [1, 1]);
  });
});
