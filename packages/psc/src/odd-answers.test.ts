import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createPscClient } from './client.ts';
import { configurePscs } from './configure.ts';
import { PscError, pscErrorCodes } from './errors.ts';
import type { PendingAuthorization } from './pending.ts';
import { someHashes } from './testing/story.ts';

const start = new Date('2026-11-21T12:00:00Z');
const settings = { clientId: 'lavra', clientSecret: 'segredo', baseUrl: 'https://psc.invalid' };
const pending: PendingAuthorization = {
  psc: 'VIDAAS',
  mode: 'push',
  identification: { type: 'CPF', value: '01234567890' },
  scope: 'multi_signature',
  state: 'estado',
  codeVerifier: 'x'.repeat(43),
  redirectUri: 'push://',
  lifetimeSeconds: 300,
  expiresAt: '2026-11-21T12:01:30Z',
  url: null,
  transaction: 'pedido',
};
const authorization = {
  psc: 'VIDAAS',
  accessToken: 'ficha',
  scope: 'multi_signature',
  expiresAt: '2026-11-21T12:05:00Z',
  holderConfirmed: true,
  slotAlias: null,
} as const;

/** Values of any shape under the names that matter, more often than chance would have them. */
const word = fc.constantFrom('S', 'N', 'error', 'success', 'access_denied', 'documento-1', 'Bearer', 'MIIB', '-----BEGIN CERTIFICATE-----');
const leaf = fc.oneof(word, fc.string(), fc.integer(), fc.boolean(), fc.constant(null), fc.double());
const names =
  'status error success slots slot_alias code authorizationToken client_id client_secret __proto__ access_token token_type expires_in scope authorized_identification certificates certificate alias signatures raw_signature id'.split(
    ' ',
  );
const { value } = fc.letrec<{ value: unknown; fields: unknown }>((tie) => ({
  value: fc.oneof({ depthSize: 'small' }, leaf, fc.array(tie('value'), { maxLength: 4 }), tie('fields')),
  fields: fc.dictionary(fc.constantFrom(...names), tie('value')),
}));
/** Nearly right: what a call wants to see, and any of it replaced. */
const right = {
  status: 'S',
  access_token: 'ficha',
  token_type: 'Bearer',
  expires_in: 300,
  authorized_identification: '01234567890',
  slots: [{ slot_alias: 'a' }],
  certificates: [{ alias: 'a', certificate: Buffer.concat([Buffer.of(0x30), Buffer.alloc(200)]).toString('base64') }],
  signatures: someHashes(2).map(({ id }) => ({ id, raw_signature: Buffer.alloc(256, 9).toString('base64') })),
  code: 'pedido',
  authorizationToken: 'codigo',
  client_id: 'lavra',
  client_secret: 'segredo',
};
const nearly = fc
  .tuple(fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 3 }), fc.double({ noNaN: true }), fc.boolean())
  .map(([odd, seconds, isOdd]) => ({ ...right, ...(isOdd ? { expires_in: seconds } : {}), ...odd }));
const text = fc.oneof(
  { weight: 5, arbitrary: nearly.map((one) => JSON.stringify(one)) },
  { weight: 3, arbitrary: value.map((one) => JSON.stringify(one) ?? '') },
  { weight: 1, arbitrary: fc.string() },
);
const status = fc.constantFrom(200, 200, 200, 201, 202, 204, 302, 304, 400, 401, 403, 404, 410, 418, 429, 500, 503, 599);

test('whatever a provider answers ends in an answer that is whole or in one of the codes', async () => {
  await fc.assert(
    fc.asyncProperty(status, text, async (answered, body) => {
      const outside = {
        fetch: () => Promise.resolve({ status: answered, body: new Blob([body]).stream() as ReadableStream<Uint8Array> }),
        now: () => start,
        random: (length: number) => new Uint8Array(length),
      };
      const psc = createPscClient(configurePscs({ VIDAAS: settings }), outside);
      const [vidaas] = configurePscs({ VIDAAS: settings });
      assert.ok(vidaas);
      const { availablePscs, unanswered } = await psc.findCertificates('01234567890');
      assert.ok(availablePscs.length + unanswered.length <= 1 && availablePscs.every(({ slots }) => slots.length > 0));
      const request = { psc: 'VIDAAS', identification: '01234567890', hashes: 1, redirectUri: 'x' } as const;
      await whole(psc.beginAuthorization(request), (one) => !!one.transaction);
      await whole(psc.pollPush(pending), (code) => code === null || code.length > 0);
      await whole(psc.exchangeCode(pending, 'c'), (one) => one.accessToken !== '' && !Number.isNaN(Date.parse(one.expiresAt)));
      await whole(psc.clientToken('VIDAAS'), (one) => one.accessToken !== '');
      await whole(
        psc.discoverCertificates(authorization),
        (all) => all.length > 0 && all.every(({ certificate }) => certificate[0] === 0x30),
      );
      await whole(
        psc.signHashes(authorization, { hashes: someHashes(2) }),
        (all) => all.length === 2 && all.every((one) => one.value.length > 63),
      );
      const application = { name: 'a', comments: 'b', redirectUris: [], email: 'c' };
      await whole(psc.registerApplication(vidaas, application), (one) => one.clientId !== '' && one.clientSecret !== '');
    }),
    { numRuns: 1_000, seed: 20_261_121 },
  );
});

async function whole<T>(trial: Promise<T>, isWhole: (answer: T) => boolean): Promise<void> {
  try {
    assert.ok(isWhole(await trial));
  } catch (error) {
    if (error instanceof PscError) assert.ok(pscErrorCodes.includes(error.code));
    else throw error;
  }
}
