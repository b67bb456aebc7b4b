import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Call } from '@lavra/api';
import fc from 'fast-check';
import { signedInAccount } from '../../testing/accounts.ts';
import { type AnyInput, anyInput } from '../../testing/any-input.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { startedProcess } from '../../testing/processes.ts';
import { everyCall } from './every-call.ts';

const INPUTS = 10;

describe('whatever is sent to whichever call', () => {
  let app: TestApp;
  let tokens: readonly (string | undefined)[];
  /** Ids that are somebody's: what is guessed is refused at the door. */
  let known: readonly string[];
  before(async () => {
    app = await startTestApp();
    const admin = await signedInAccount(app);
    const user = await signedInAccount(app);
    const draft = await startedProcess(app, user, { signers: [{ name: 'Bia Lima', email: 'bia@exemplo.com.br' }] });
    known = [draft.id, ...draft.signerIds, ...draft.documentIds, '1'];
    tokens = [undefined, user.token, admin.token];
  });
  after(() => app.close());

  let sent = 0;
  async function send(call: Call, { params, query, body }: AnyInput, token: string | undefined) {
    sent += 1;
    const path = call.path.replaceAll(/:(\w+)/g, (_, name: string) => encoded(sent % 3 === 0 ? known[sent % known.length] : params[name]));
    const search = Object.entries(query).map(
      ([name, value]) => `${encoded(name)}=${encoded(/id|user/i.test(name) ? known[sent % known.length] : value)}`,
    );
    return app.inject({
      method: call.method,
      url: `/${path}${search.length > 0 ? `?${search.join('&')}` : ''}`,
      headers: token ? { authorization: `Bearer ${token}` } : {},
      remoteAddress: `198.51.${Math.floor(sent / 250) % 250}.${(sent % 250) + 1}`,
      ...(body === undefined ? {} : { payload: typeof body === 'object' && body !== null ? body : JSON.stringify(body) }),
      ...(body === undefined
        ? {}
        : { headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) } }),
    });
  }
  const encoded = (value: unknown) =>
    encodeURIComponent(String(typeof value === 'string' ? value.toWellFormed() : (JSON.stringify(value) ?? '')).slice(0, 150)) || 'x';

  // What ends somebody's session would leave the calls behind it to strangers.
  const last = (name: string) => (/logout|session|password|deactivate|remove/i.test(name) ? 1 : 0);
  const calls = [...everyCall].toSorted(([a], [b]) => last(a) - last(b));
  const seed = Math.floor(Math.random() * 2 ** 31);

  for (const [name, call] of calls) {
    it(`${name} answers as it says, or refuses with a code, and never fails`, async () => {
      for (const [index, input] of fc.sample(anyInput(call), { numRuns: INPUTS, seed }).entries()) {
        const answer = await send(call, input, tokens[index % tokens.length]);
        const told = `seed ${seed}, ${answer.statusCode} ${answer.payload.slice(0, 300)} for ${JSON.stringify(input).slice(0, 600)}`;
        assert.ok(answer.statusCode < 500, told);
        if (answer.statusCode < 400) continue;
        assert.match(String(answer.headers['content-type']), /^application\/problem\+json/, told);
        assert.ok(answer.headers['x-app-error'], told);
      }
    });
  }
});
