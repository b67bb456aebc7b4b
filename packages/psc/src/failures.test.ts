import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, beforeEach, describe, test } from 'node:test';
import { CertificatePool, findChain, holderOf, judgeFetchedList, parseCertificate } from '@lavra/pades';
import type { PscBehaviour, PscCall } from '@lavra/make-believe';
import { createPscClient } from './client.ts';
import { configurePscs } from './configure.ts';
import { pscErrorCodes } from './errors.ts';
import type { PscErrorCode } from './errors.ts';
import { pscIds } from './providers.ts';
import type { PscId } from './providers.ts';
import { ana, redirectUri, refuses, someHashes, startStory } from './testing/story.ts';

const { world, psc, begin, press, authorize } = await startStory();
after(() => world.close());
beforeEach(() => world.reset());
const outside = { fetch, now: () => new Date(), random: (length: number) => randomBytes(length) };
const met = new Set<PscErrorCode>();

/** Everything from the beginning to the signatures; the switches are turned once the person has answered, or before all. */
async function sign(id: PscId, { before = {}, after: later = {} }: { before?: Partial<PscBehaviour>; after?: Partial<PscBehaviour> }) {
  const { behaviour } = world.pscs[id];
  Object.assign(behaviour, before);
  const pending = await begin(id, 2);
  const code = await press(pending, 'approve');
  Object.assign(behaviour, later);
  const authorization = await psc.exchangeCode(pending, code);
  await psc.discoverCertificates(authorization);
  return psc.signHashes(authorization, { hashes: someHashes(2) });
}

async function ends(trial: Promise<unknown>, code: PscErrorCode): Promise<void> {
  const error = await refuses(trial, code);
  met.add(code);
  // For logs: no secret, no CPF, no token.
  assert.doesNotMatch(`${error.message} ${JSON.stringify(error.details)}`, /segredo|01234567890|Bearer/);
}

const switches: readonly (readonly [string, Partial<PscBehaviour>, PscErrorCode])[] = [
  ['a provider that closes the connection', { reachable: false }, 'PSC_UNREACHABLE'],
  ['a code that expired', { codes: 'expired' }, 'PSC_EXPIRED'],
  ['a token that expired', { tokens: 'expired' }, 'PSC_EXPIRED'],
  ['somebody else who authorised', { holder: 'other' }, 'PSC_WRONG_HOLDER'],
  ['a token for identification only', { scope: 'identification-only' }, 'PSC_SCOPE_REFUSED'],
  ['no certificate behind the authorisation', { certificate: 'none' }, 'PSC_NO_CERTIFICATE'],
  ['a certificate that is none', { certificate: 'garbage' }, 'PSC_BAD_ANSWER'],
  ['a signature too few', { hashes: 'one-less' }, 'PSC_WRONG_HASH_COUNT'],
  ['a signature too many', { hashes: 'one-more' }, 'PSC_WRONG_HASH_COUNT'],
  ['signatures of other hashes', { hashes: 'wrong-id' }, 'PSC_WRONG_HASH_COUNT'],
  ['a signature in no known encoding', { signatures: 'garbage' }, 'PSC_BAD_SIGNATURE'],
  ...(['token', 'certificate-discovery', 'signature'] satisfies PscCall[]).flatMap((call) =>
    (
      [
        ['200 with an error', 'error-200', 'PSC_UNAVAILABLE'],
        ['200 with a failing status', 'status-200', 'PSC_REQUEST_REFUSED'],
        ['500', 'server-error', 'PSC_UNAVAILABLE'],
        ['429', 'too-many-requests', 'PSC_UNAVAILABLE'],
        ['a page instead of an answer', 'not-json', 'PSC_BAD_ANSWER'],
      ] as const
    ).map(([name, kind, code]) => [`${name} from ${call}`, { fails: { [call]: kind } }, code] as const),
  ),
];

for (const id of pscIds) {
  describe(id, () => {
    for (const [name, change, code] of switches) {
      test(`${name} is ${code}`, () => ends(sign(id, { after: change }), code));
    }

    test('a refusal by the person is PSC_REFUSED_BY_USER', async () => {
      await ends(press(await begin(id), 'refuse'), 'PSC_REFUSED_BY_USER');
    });

    test('a provider that is slower than its deadline is PSC_TIMEOUT', async () => {
      const hasty = createPscClient(configurePscs({ [id]: world.settings[id] }), outside, { callMs: 100 });
      const pending = await begin(id);
      const code = await press(pending, 'approve');
      world.pscs[id].behaviour.delayMs = 1_000;
      await ends(hasty.exchangeCode(pending, code), 'PSC_TIMEOUT');
    });

    test('after every one of these the process can be signed', async () => {
      assert.equal((await sign(id, {})).length, 2);
    });

    test('wrong credentials are PSC_CREDENTIALS_REFUSED, told by the check of the set-up', async () => {
      const wrong = createPscClient(configurePscs({ [id]: { ...world.settings[id], clientSecret: 'outro' } }), outside);
      const pending = await begin(id);
      await ends(wrong.exchangeCode(pending, await press(pending, 'approve')), 'PSC_CREDENTIALS_REFUSED');
      const refused = 'PSC_CREDENTIALS_REFUSED';
      assert.deepEqual(await wrong.checkSetup(id, ana.cpf), [
        { step: 'credentials', code: refused },
        { step: 'discovery', code: refused },
      ]);
      assert.deepEqual(await psc.checkSetup(id, '11144477735'), [
        { step: 'credentials', code: null },
        { step: 'discovery', code: null },
      ]);
    });

    test('a verifier that is not the challenge’s gets no token', async () => {
      const pending = await begin(id);
      const code = await press(pending, 'approve');
      await ends(psc.exchangeCode({ ...pending, codeVerifier: 'x'.repeat(43) }, code), 'PSC_EXPIRED');
    });

    test('a code serves once', async () => {
      const pending = await begin(id);
      const code = await press(pending, 'approve');
      await psc.exchangeCode(pending, code);
      await ends(psc.exchangeCode(pending, code), 'PSC_EXPIRED');
    });
  });
}

test('a callback with another state, or with no code, is not taken', async () => {
  const pending = await begin('BIRDID');
  const callback = async (query: Parameters<typeof psc.readCallback>[1]) => psc.readCallback(pending, query);
  await ends(callback({ code: 'x', state: 'de outro' }), 'PSC_STATE_MISMATCH');
  await ends(callback({ error: 'access_denied', state: 'de outro' }), 'PSC_STATE_MISMATCH');
  await ends(callback({ code: 'x' }), 'PSC_STATE_MISMATCH');
  await ends(callback({ state: pending.state }), 'PSC_BAD_ANSWER');
  await ends(callback({ state: pending.state, error: 'temporarily_unavailable' }), 'PSC_UNAVAILABLE');
  assert.equal(psc.readCallback(pending, { code: 'x', state: pending.state }), 'x');
});

test('more hashes than the provider takes at once is PSC_TOO_MANY_HASHES unless a session was authorised', async () => {
  const several = await authorize('NEOID', 5);
  await ends(psc.signHashes(several, { hashes: someHashes(6) }), 'PSC_TOO_MANY_HASHES');
  await ends(psc.signHashes(await authorize('SYN'), { hashes: someHashes(2) }), 'PSC_TOO_MANY_HASHES');
});

test('hashes that nobody could sign are refused before anybody is asked', async () => {
  const authorization = await authorize('BIRDID', 2);
  const [hash] = someHashes(1);
  assert.ok(hash);
  const before = world.pscs.BIRDID.asked.length;
  await ends(psc.signHashes(authorization, { hashes: [] }), 'PSC_INVALID_REQUEST');
  await ends(psc.signHashes(authorization, { hashes: [hash, hash] }), 'PSC_INVALID_REQUEST');
  await ends(psc.signHashes(authorization, { hashes: [{ ...hash, algorithm: 'sha512' }] }), 'PSC_INVALID_REQUEST');
  await ends(psc.findCertificates('123'), 'PSC_INVALID_REQUEST');
  assert.equal(world.pscs.BIRDID.asked.length, before);
});

test('an application registers itself where the provider offers it, and signs with what it got', async () => {
  const { baseUrl } = world.settings.VIDAAS;
  const application = { name: 'Cartório', comments: 'Homologação', redirectUris: [redirectUri], email: 'ti@example.com' };
  const [vidaas] = configurePscs({ VIDAAS: world.settings.VIDAAS });
  const [birdid] = configurePscs({ BIRDID: world.settings.BIRDID });
  assert.ok(vidaas && birdid);
  const credentials = await psc.registerApplication(vidaas, application);
  const registered = createPscClient(configurePscs({ VIDAAS: { baseUrl, ...credentials } }), outside);
  assert.equal((await registered.findCertificates(ana.cpf)).availablePscs.length, 1);
  await ends(psc.registerApplication(birdid, application), 'PSC_NOT_OFFERED');
});

test('an unregistered address to come back to is not served', async () => {
  const elsewhere = await psc.beginAuthorization({
    psc: 'SAFEID',
    identification: ana.cpf,
    hashes: 1,
    redirectUri: `${redirectUri}/outro`,
  });
  assert.equal((await fetch(elsewhere.url ?? '', { redirect: 'manual' })).status, 400);
});

test('a wrong certificate is told by its chain, its dates, its list or its CPF: four different things', async () => {
  const anchors = [world.pki.roots.v5, world.pki.roots.v12].map(parseCertificate);
  const seen = async (certificate: PscBehaviour['certificate']) => {
    world.pscs.VIDAAS.behaviour.certificate = certificate;
    const [found] = await psc.discoverCertificates(await authorize('VIDAAS'));
    assert.ok(found);
    const read = parseCertificate(found.certificate);
    const pool = new CertificatePool();
    pool.add(...world.pki.intermediates.map(parseCertificate));
    const { anchor, certificates } = await findChain(read, pool, anchors);
    const issuer = certificates[1];
    const list = new Uint8Array(await (await fetch(read.crlUrls[0] ?? '')).arrayBuffer());
    const now = new Date();
    return {
      icpBrasil: anchor !== null,
      inTime: read.notBefore <= now && now <= read.notAfter,
      revoked: issuer ? (await judgeFetchedList(list, read, issuer, now))?.status === 'revoked' : null,
      ownCpf: holderOf(read).cpf === ana.cpf,
    };
  };
  const right = { icpBrasil: true, inTime: true, revoked: false, ownCpf: true };
  assert.deepEqual(await seen('own'), right);
  assert.deepEqual(await seen('other-cpf'), { ...right, ownCpf: false });
  assert.deepEqual(await seen('expired'), { ...right, inTime: false });
  assert.deepEqual(await seen('revoked'), { ...right, revoked: true });
  assert.deepEqual(await seen('not-icp-brasil'), { ...right, icpBrasil: false, revoked: null });
});

test('every code of the closed set has been met', async () => {
  await ends((async () => configurePscs({ OUTRO: {} }))(), 'PSC_NOT_CONFIGURED');
  assert.deepEqual(
    [...pscErrorCodes].filter((code) => !met.has(code)),
    [],
  );
});
