import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as api from '@lavra/api';
import { signInAt } from '@lavra/make-believe';
import { signIn } from '../../../testing/accounts.ts';
import type { TestApp } from '../../../testing/app.ts';
import type { Passing } from '../../../testing/database-door.ts';
import { beginAt, type Browser, callFrom, comeBack, newBrowser } from '../../../testing/identities.ts';
import { startTwoPrograms, type TwoPrograms, whileHeld } from '../../../testing/two-programs.ts';

type Index = 0 | 1;
const password = 'Segredo123';
const ana = 'ana.conceicao@exemplo.com.br';

const takesAnswer = ({ text }: Passing) => text.startsWith('update "sign_in_flow" set "used_at"');
const holdsAccount = ({ text }: Passing) => text.includes('from "app_user"') && text.endsWith('for update');

describe('a sign-in through a provider at two programs', () => {
  let two: TwoPrograms;
  let token: string;
  before(async () => {
    two = await startTwoPrograms();
    const body = { login: ana, email: ana, firstName: 'Ana', password };
    assert.equal((await at(0).call(api.register, { body })).status, 200);
    token = await signIn(at(0), { email: ana, password });
  });
  after(() => two[Symbol.asyncDispose]());

  const at = (index: Index) => two.at(index) as TestApp;
  const sessions = async () => (await two.rows('select 1 from session where revoked_at is null')).length;
  const begun = async (index: Index, browser: Browser, person = 'ana') => signInAt(await beginAt(at(index), browser, 'google'), person);
  const back = (index: Index, browser: Browser, address: string) => comeBack(at(index), browser, 'google', address);

  it('ends at another program than the one that it began at, once', async () => {
    const browser = newBrowser();
    const address = await begun(0, browser);
    const before = await sessions();
    assert.equal((await back(1, browser, address)).status, 200);
    for (const index of [0, 1] as const) assert.equal((await back(index, browser, address)).code, 'identity.signInUsed');
    assert.equal(await sessions(), before + 1);
  });

  it('shown at both at once opens one session', async () => {
    const browser = newBrowser();
    const address = await begun(0, browser);
    const before = await sessions();
    const [first, second] = await whileHeld(
      two.doors[0],
      takesAnswer,
      () => back(0, browser, address),
      () => back(1, browser, address),
    );
    assert.deepEqual([second.status, first.code, await sessions()], [200, 'identity.signInUsed', before + 1]);
  });

  it('in another browser opens nothing at either, and is not used up by it', async () => {
    const [browser, other] = [newBrowser(), newBrowser()];
    const address = await begun(0, browser);
    await beginAt(at(1), other, 'google');
    for (const index of [0, 1] as const)
      for (const stranger of [other, newBrowser()]) assert.equal((await back(index, stranger, address)).code, 'identity.signInUnknown');
    assert.equal((await back(1, browser, address)).status, 200);
  });

  it('takes no answer of one sign-in for another of the same browser: the code is bound to its own', async () => {
    const browser = newBrowser();
    const one = new URL(await begun(0, browser));
    const other = new URL(await begun(1, browser));
    const mixed = new URL(one);
    mixed.searchParams.set('code', other.searchParams.get('code') ?? '');
    const before = await sessions();
    const refused = await back(1, browser, mixed.href);
    assert.ok(refused.status >= 400, refused.raw.body);
    assert.equal(await sessions(), before);
  });

  it('makes one account of somebody new who asks for it at both at once', async () => {
    const browser = newBrowser();
    const vouched = await back(0, browser, await begun(0, browser, 'carlos'));
    assert.equal(vouched.body.registration?.email, 'carlos.nobrega@exemplo.com.br');
    const register = (index: Index) => callFrom(at(index), browser, api.registerSocial, { body: {} });
    const takes = ({ text }: Passing) => text.startsWith('update "sign_in_flow" set "identity"');
    const [first, second] = await whileHeld(
      two.doors[0],
      takes,
      () => register(0),
      () => register(1),
    );
    assert.deepEqual([second.status, first.code], [200, 'identity.signInUsed']);
  });

  describe('that is unbound', () => {
    const identity = async () => {
      const { body } = await at(1).call(api.listAccountIdentities, { token });
      return body.identities.find(({ provider }) => provider === 'Google')?.id ?? assert.fail();
    };
    const unbind = async () => {
      const answer = await at(1).call(api.unbindIdentity, { token, params: { id: await identity() }, body: { proof: { password } } });
      assert.ok(answer.status < 300, answer.code);
    };
    const rebind = async (index: Index, by = token) =>
      at(index).call(api.rebindIdentity, { token: by, params: { id: await identity() }, body: { proof: { password } } });

    it('opens no session that is on its way at the other, nor one that was begun before', async () => {
      const [browser, early] = [newBrowser(), newBrowser()];
      const [address, before] = [await begun(0, browser), await begun(0, early)];
      const [refused] = await whileHeld(two.doors[0], holdsAccount, () => back(0, browser, address), unbind);
      assert.equal(refused.code, 'identity.unbound');
      assert.equal((await back(0, early, before)).code, 'identity.unbound');
      const open = `select 1 from session s join app_user u on u.id = user_id where u.email = $1 and s.revoked_at is null`;
      assert.equal((await two.rows(open, [ana])).length, 1, 'her own, which unbound it');
    });

    it('is not bound again by a session that a new password has ended', async () => {
      const thief = await signIn(at(0), { email: ana, password });
      const change = { currentPassword: password, newPassword: 'Tinteiro7abc' };
      const [bound, changed] = await whileHeld(
        two.doors[0],
        holdsAccount,
        () => rebind(0, thief),
        () => at(1).call(api.changePassword, { token, body: change }),
      );
      assert.deepEqual([changed.status, bound.code], [204, 'request.unauthorized']);
    });
  });
});
