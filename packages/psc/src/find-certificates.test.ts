import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { startPscWorld } from '@lavra/make-believe';
import { createPscClient } from './client.ts';
import { configurePscs } from './configure.ts';
import { pscIds } from './providers.ts';
import { ana, redirectUri, startStory } from './testing/story.ts';

const { world, psc } = await startStory({ discoveryMs: 1_500 });
after(() => world.close());
beforeEach(() => world.reset());

test('all configured providers are asked at once, and who answers is kept', async () => {
  const found = await psc.findCertificates(ana.cpf);
  assert.deepEqual(
    found.availablePscs.map((one) => one.psc),
    [...pscIds],
  );
  assert.deepEqual(found.unanswered, []);
  for (const { slots } of found.availablePscs) assert.equal(slots.length, 1);
});

test('a slow provider costs its own deadline and nobody else’s answer', async () => {
  world.pscs.NEOID.behaviour.delayMs = 6_000;
  world.pscs.SAFEID.behaviour.delayMs = 6_000;
  const started = performance.now();
  const { availablePscs, unanswered } = await psc.findCertificates(ana.cpf);
  const took = performance.now() - started;
  assert.equal(availablePscs.length, 5);
  assert.deepEqual(unanswered, [
    { psc: 'NEOID', code: 'PSC_TIMEOUT' },
    { psc: 'SAFEID', code: 'PSC_TIMEOUT' },
  ]);
  assert.ok(took < 4_500, `${Math.round(took)} ms`);
});

test('every provider’s own trouble is told with its code, and "no" is no trouble', async () => {
  world.pscs.BIRDID.behaviour.reachable = false;
  world.pscs.NEOID.behaviour.fails = { 'user-discovery': 'error-200' };
  world.pscs.REMOTEID.behaviour.fails = { 'user-discovery': 'status-200' };
  world.pscs.SAFEID.behaviour.fails = { 'user-discovery': 'not-json' };
  world.pscs.VIDAAS.behaviour.fails = { 'user-discovery': 'too-many-requests' };
  world.pscs.DSCLOUD.behaviour.fails = { 'user-discovery': 'server-error' };
  const { availablePscs, unanswered } = await psc.findCertificates(ana.cpf);
  assert.deepEqual(
    availablePscs.map((one) => one.psc),
    ['SYN'],
  );
  assert.deepEqual(Object.fromEntries(unanswered.map(({ psc: id, code }) => [id, code])), {
    BIRDID: 'PSC_UNREACHABLE',
    NEOID: 'PSC_UNAVAILABLE',
    REMOTEID: 'PSC_REQUEST_REFUSED',
    SAFEID: 'PSC_BAD_ANSWER',
    VIDAAS: 'PSC_UNAVAILABLE',
    DSCLOUD: 'PSC_UNAVAILABLE',
  });
});

test('a CPF without a certificate is found nowhere', async () => {
  assert.deepEqual(await psc.findCertificates('111.444.777-35'), { availablePscs: [], unanswered: [] });
});

test('a provider that is not configured is not asked', async () => {
  const other = await startPscWorld({ redirectUris: [redirectUri] });
  try {
    await other.enrolPerson(ana, ['SYN', 'VIDAAS']);
    const outside = { fetch, now: () => new Date(), random: (length: number) => new Uint8Array(length) };
    const { SYN, BIRDID } = other.settings;
    const found = await createPscClient(configurePscs({ SYN, BIRDID }), outside).findCertificates(ana.cpf);
    assert.deepEqual(found.availablePscs, [{ psc: 'SYN', slots: [{ alias: 'certificado-1', label: 'Certificado em SYN' }] }]);
    assert.deepEqual(other.pscs.VIDAAS.asked, []);
    assert.deepEqual(other.pscs.BIRDID.asked, ['user-discovery']);
  } finally {
    await other.close();
  }
});
