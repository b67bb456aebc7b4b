import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import * as api from '@lavra/api';
import { identityPeople, signInAt } from '@lavra/make-believe';
import { openLog } from '../../../compose.ts';
import { createTranslator } from '../../../language/translator.ts';
import { signedInAccount } from '../../../testing/accounts.ts';
import {
  beginAt,
  callFrom,
  comeBack,
  enterThrough,
  type IdentityTestApp,
  newBrowser,
  startIdentityTestApp,
} from '../../../testing/identities.ts';
import { removeOldFlows } from './identities.store.ts';

const [ana] = identityPeople;
assert.ok(ana);
const people = [
  ...identityPeople,
  { ...ana, id: 'verboso', email: 'verboso@exemplo.com.br', givenName: '\u202eN'.repeat(4000), familyName: '🙂'.repeat(4000) },
  { ...ana, id: 'longe', email: `${'a'.repeat(300)}@exemplo.com.br` },
  { ...ana, id: 's'.repeat(300), email: 'sujeito@exemplo.com.br' },
  { ...ana, id: 'outra-ana', cpf: '20406080100' },
];

describe('a sign-in through a provider that is refused', () => {
  let app: IdentityTestApp;
  let logged = '';
  before(async () => {
    const log = openLog({ logLevel: 'trace' }, { write: (line) => void (logged += line) });
    app = await startIdentityTestApp({ people, log });
    await signedInAccount(app, { email: 'primeira@exemplo.com.br' });
  });
  after(() => app.close());
  afterEach(() => Object.assign(app.world.behaviour, { down: false, broken: false, otherKey: false }));

  async function rows() {
    const count = async (table: 'app_user' | 'account_identity' | 'session') =>
      Number(
        (
          await app.ctx.db
            .selectFrom(table)
            .select((e) => e.fn.countAll().as('rows'))
            .executeTakeFirstOrThrow()
        ).rows,
      );
    return [await count('app_user'), await count('account_identity'), await count('session')];
  }

  /** Refused with this code and its sentence; nobody is signed in and nothing is made. */
  async function refuses(
    status: number,
    code: string,
    act: () => Promise<{ status: number; code: string | undefined; raw: { body: string } }>,
  ) {
    const before = await rows();
    const answer = await act();
    assert.deepEqual([answer.status, answer.code], [status, code]);
    const sentence = createTranslator(app.ctx.config.localesDir)('pt-br', code, {});
    assert.notEqual(sentence, code);
    assert.ok((JSON.parse(answer.raw.body) as { detail: string }).detail === sentence, 'its sentence');
    assert.deepEqual(await rows(), before);
  }

  const begin = (provider: string) => app.call(api.beginSocialSignIn, { body: { provider } });

  it('at a provider that nobody configured', async () => {
    await refuses(400, 'identity.providerUnknown', () => begin('orkut'));
    await refuses(400, 'identity.providerUnknown', () => begin('__proto__'));
  });

  it('over-long, before anything is looked at', async () => {
    assert.deepEqual([(await begin('g'.repeat(21))).code], ['request.invalid']);
    const long = { provider: 'google', query: `state=${'s'.repeat(9000)}` };
    const { status, code, raw } = await app.call(api.finishSocialSignIn, { body: long });
    assert.deepEqual([status, code], [400, 'request.invalid']);
    assert.match(raw.body, /"message":"Size"/);
  });

  it('inside of a transaction, which nobody outside may keep waiting', async () => {
    const request = { redirectUri: 'http://lavra.test/login/return/google', state: 's', nonce: 'n', codeVerifier: 'v' };
    const asked = app.world.asked.length;
    await assert.rejects(
      app.ctx.transaction(async () => void (await app.ctx.identity.authorise('google', request))),
      /inside a transaction/,
    );
    assert.equal(app.world.asked.length, asked);
  });

  it('with a state that nobody was given, twice the state, or none', async () => {
    const browser = newBrowser();
    const back = new URL(await signInAt(await beginAt(app, browser, 'google'), 'ana'));
    for (const query of ['code=a&state=b', 'code=a', `${back.search}&state=b`])
      await refuses(404, 'identity.signInUnknown', () =>
        callFrom(app, browser, api.finishSocialSignIn, { body: { provider: 'google', query } }),
      );
  });

  it('in another browser than it began in, and can then still be ended in its own', async () => {
    const browser = newBrowser();
    const back = await signInAt(await beginAt(app, browser, 'google'), 'ana');
    await refuses(404, 'identity.signInUnknown', () => comeBack(app, newBrowser(), 'google', back));
    const stranger = newBrowser();
    await beginAt(app, stranger, 'google');
    await refuses(404, 'identity.signInUnknown', () => comeBack(app, stranger, 'google', back));
    assert.equal((await comeBack(app, browser, 'google', back)).status, 200);
  });

  it('with the answer of another provider (mix-up)', async () => {
    const browser = newBrowser();
    const back = await signInAt(await beginAt(app, browser, 'google'), 'ana');
    await refuses(404, 'identity.signInUnknown', () => comeBack(app, browser, 'empresa', back));
    const told = new URL(back);
    told.searchParams.set('iss', app.world.issuers.empresa.issuer);
    await refuses(400, 'identity.answerInvalid', () => comeBack(app, browser, 'google', told.href));
  });

  it('when the answer was handed in before, also at the same moment', async () => {
    const browser = newBrowser();
    const back = await signInAt(await beginAt(app, browser, 'google'), 'ana');
    const both = await Promise.all([comeBack(app, browser, 'google', back), comeBack(app, browser, 'google', back)]);
    assert.deepEqual(both.map(({ code }) => code).toSorted(), ['identity.signInUsed', undefined].toSorted());
    await refuses(409, 'identity.signInUsed', () => comeBack(app, browser, 'google', back));
  });

  it('with a code that was used in another sign-in', async () => {
    const browser = newBrowser();
    const used = new URL(await signInAt(await beginAt(app, browser, 'google'), 'ana'));
    await comeBack(app, browser, 'google', used.href);
    const fresh = new URL(await signInAt(await beginAt(app, browser, 'google'), 'ana'));
    fresh.searchParams.set('code', used.searchParams.get('code') ?? '');
    await refuses(409, 'identity.codeUsed', () => comeBack(app, browser, 'google', fresh.href));
  });

  it('with a code that was stolen from another browser’s sign-in (PKCE)', async () => {
    const stolen = new URL(await signInAt(await beginAt(app, newBrowser(), 'google'), 'ana'));
    const browser = newBrowser();
    const own = new URL(await signInAt(await beginAt(app, browser, 'google'), 'carlos'));
    own.searchParams.set('code', stolen.searchParams.get('code') ?? '');
    await refuses(409, 'identity.codeUsed', () => comeBack(app, browser, 'google', own.href));
  });

  it('with a nonce that was not ours', async () => {
    const browser = newBrowser();
    const url = new URL(await beginAt(app, browser, 'google'));
    url.searchParams.set('nonce', 'another-nonce');
    const back = await signInAt(url.href, 'ana');
    await refuses(400, 'identity.answerInvalid', () => comeBack(app, browser, 'google', back));
  });

  it('with a signature of another key than the provider shows', async () => {
    const browser = newBrowser();
    const back = await signInAt(await beginAt(app, browser, 'empresa'), 'ana');
    app.world.behaviour.otherKey = true;
    await refuses(502, 'identity.providerFault', () => comeBack(app, browser, 'empresa', back));
  });

  it('with an e-mail that the provider has not verified, or with none', async () => {
    await refuses(400, 'identity.emailUnverified', () => enterThrough(app, newBrowser(), 'google', 'dora'));
    await refuses(400, 'identity.emailMissing', () => enterThrough(app, newBrowser(), 'google', 'elias'));
    await refuses(400, 'identity.emailMissing', () => enterThrough(app, newBrowser(), 'google', 'longe'));
  });

  it('with an unverified e-mail of somebody’s account: that one is not entered', async () => {
    await signedInAccount(app, { email: 'dora.lima@exemplo.com.br' });
    await refuses(400, 'identity.emailUnverified', () => enterThrough(app, newBrowser(), 'google', 'dora'));
  });

  it('with a subject that OpenID Connect does not allow', async () => {
    await refuses(502, 'identity.providerFault', () => enterThrough(app, newBrowser(), 'google', 's'.repeat(300)));
  });

  it('by the person, at the provider', async () => {
    await refuses(400, 'identity.refused', () => enterThrough(app, newBrowser(), 'google', null));
  });

  it('while the provider is away or out of order, before and after the person was there', async () => {
    const browser = newBrowser();
    const back = await signInAt(await beginAt(app, browser, 'google'), 'ana');
    const other = await signInAt(await beginAt(app, browser, 'google'), 'ana');
    app.world.behaviour.down = true;
    await refuses(503, 'identity.providerUnavailable', () => comeBack(app, browser, 'google', back));
    app.world.behaviour.down = false;
    app.world.behaviour.broken = true;
    await refuses(503, 'identity.providerUnavailable', () => comeBack(app, browser, 'google', other));
    const cold = await startIdentityTestApp();
    cold.world.behaviour.down = true;
    const { status, code } = await cold.call(api.beginSocialSignIn, { body: { provider: 'google' } });
    await cold.close();
    assert.deepEqual([status, code], [503, 'identity.providerUnavailable']);
  });

  it('where the clocks are off, either way', async () => {
    const now = new Date();
    for (const by of [{ hours: 1 }, { hours: -1 }]) {
      const browser = newBrowser();
      app.clock.advance(by);
      const back = await signInAt(await beginAt(app, browser, 'google'), 'ana');
      await refuses(503, 'identity.clockOff', () => comeBack(app, browser, 'google', back));
      app.clock.set(now);
    }
  });

  it('after ten minutes, and for a registration after ten more', async () => {
    const now = new Date();
    app.clock.set(now);
    const late = newBrowser();
    const back = await signInAt(await beginAt(app, late, 'google'), 'ana');
    app.clock.advance({ minutes: 10 });
    await refuses(409, 'identity.signInExpired', () => comeBack(app, late, 'google', back));
    app.clock.set(new Date());
    const browser = newBrowser();
    await enterThrough(app, browser, 'google', 'ana');
    app.clock.advance({ minutes: 10 });
    await refuses(409, 'identity.signInExpired', () => callFrom(app, browser, api.registerSocial, { body: {} }));
    await removeOldFlows(app.ctx, new Date(Date.now() + 86_400_000));
    assert.equal(
      await app.ctx.db.selectFrom('sign_in_flow').select('identity').where('identity', 'is not', null).executeTakeFirst(),
      undefined,
    );
    app.clock.set(new Date());
  });

  it('by registerSocial without a provider’s word, in another browser, or for somebody else', async () => {
    await refuses(404, 'identity.signInUnknown', () => app.call(api.registerSocial, { body: { uid: 'ana', email: ana.email ?? '' } }));
    const browser = newBrowser();
    await enterThrough(app, browser, 'google', 'ana');
    await refuses(404, 'identity.signInUnknown', () => callFrom(app, newBrowser(), api.registerSocial, { body: {} }));
    const other = { uid: 'carlos' };
    assert.equal((await callFrom(app, browser, api.registerSocial, { body: other })).code, 'request.invalid');
    assert.equal((await callFrom(app, browser, api.registerSocial, { body: { email: 'vitima@exemplo.com.br' } })).code, 'request.invalid');
  });

  it('writes what it refused into the security log, and no address, code or token into the log', async () => {
    const refused = await app.ctx.db.selectFrom('audit_event').select('reason').where('outcome', '=', 'refused').execute();
    const reasons = new Set(refused.map(({ reason }) => reason));
    for (const code of ['emailUnverified', 'codeUsed', 'answerInvalid', 'clockOff']) assert.ok(reasons.has(`identity.${code}`), code);
    assert.match(logged, /a sign-in provider failed/);
    // A token begins with eyJ, and so may one request's own name of twelve letters.
    assert.doesNotMatch(logged, /conceicao|dora\.lima|code=|state=|eyJ[\w-]{10}|52998224725/);
  });

  it('keeps what is over-long or invisible in a name out of the account, and takes the rest', async () => {
    const browser = newBrowser();
    const { body } = await enterThrough(app, browser, 'google', 'verboso');
    assert.ok(body.registration);
    const { body: made } = await callFrom(app, browser, api.registerSocial, { body: {} });
    const account = (await app.call(api.getAccount, { token: made.id_token ?? undefined })).body;
    assert.match(account.firstName, /^N( N){24}$/);
    assert.equal(account.lastName, '🙂'.repeat(25));
  });
});
