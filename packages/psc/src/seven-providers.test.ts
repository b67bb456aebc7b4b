import assert from 'node:assert/strict';
import { createPublicKey, verify, X509Certificate } from 'node:crypto';
import { after, beforeEach, describe, test } from 'node:test';
import { holderOf, parseCertificate } from '@lavra/pades';
import { makeBelievePscs } from '@lavra/make-believe';
import { pscIds } from './providers.ts';
import { ana, company, someHashes, startStory } from './testing/story.ts';

const { world, psc, begin, press, authorize, later } = await startStory();
after(() => world.close());
beforeEach(() => world.reset());

test('the make-believe providers are the seven of the specification', () => assert.deepEqual([...makeBelievePscs], [...pscIds]));

for (const id of pscIds) {
  describe(id, () => {
    test('a certificate is found by CPF, authorised, discovered and signs', async () => {
      const { availablePscs } = await psc.findCertificates('012.345.678-90');
      assert.ok(availablePscs.find((one) => one.psc === id)?.slots.length);
      const pending = await begin(id);
      assert.equal(pending.scope, 'single_signature');
      // What is stored between the steps is plain data.
      const stored = JSON.parse(JSON.stringify(pending)) as typeof pending;
      const authorization = await psc.exchangeCode(stored, await press(stored, 'approve'));
      assert.equal(authorization.holderConfirmed, id !== 'SYN');
      const [found] = await psc.discoverCertificates(authorization);
      assert.ok(found);
      const holder = holderOf(parseCertificate(found.certificate));
      assert.deepEqual([holder.kind, holder.cpf, holder.type], ['person', ana.cpf, 'A3']);
      const [hash] = someHashes(1);
      assert.ok(hash);
      const [signed] = await psc.signHashes(authorization, { certificateAlias: found.alias, hashes: [hash] });
      assert.equal(signed?.id, hash.id);
      // The hash is of the text "0": a verifier that hashes for itself agrees.
      const key = createPublicKey(new X509Certificate(found.certificate).publicKey.export({ type: 'spki', format: 'pem' }));
      assert.ok(verify('sha256', Buffer.from('0'), key, signed.value));
    });

    test('all documents of a process are signed in one authorisation', async () => {
      const count = 7;
      const authorization = await authorize(id, count);
      assert.equal(authorization.scope, id === 'NEOID' ? 'signature_session' : 'multi_signature');
      const signed = await psc.signHashes(authorization, { hashes: someHashes(count) });
      assert.deepEqual(
        signed.map((one) => one.id),
        someHashes(count).map((one) => one.id),
      );
      // NEOID takes five at a time.
      assert.equal(world.pscs[id].asked.filter((call) => call === 'signature').length, id === 'NEOID' ? 2 : 1);
      assert.equal(new Set(signed.map(({ value }) => Buffer.from(value).toString('hex'))).size, count);
    });

    test('a company is found and authorises by its CNPJ, letters and all', async () => {
      const { availablePscs } = await psc.findCertificates(company.cnpj);
      assert.ok(availablePscs.some((one) => one.psc === id));
      const [found] = await psc.discoverCertificates(await authorize(id, 1, '12.abc.345/01DE-35'));
      assert.ok(found);
      assert.equal(holderOf(parseCertificate(found.certificate)).cnpj, company.cnpj);
    });

    test('the person is waited for, and their refusal is told', async () => {
      const pending = await begin(id);
      if (pending.mode === 'push') assert.equal(await psc.pollPush(pending), null);
      await assert.rejects(press(pending, 'refuse'), { code: 'PSC_REFUSED_BY_USER' });
    });

    test('a person who takes longer than 90 s is too late', async () => {
      const pending = await begin(id);
      later(91);
      await assert.rejects(press(pending, 'approve'), { code: 'PSC_EXPIRED' });
    });

    test('a token serves once where one signature was asked for, and only while it lives', async () => {
      const authorization = await authorize(id);
      await psc.signHashes(authorization, { hashes: someHashes(1) });
      await assert.rejects(psc.signHashes(authorization, { hashes: someHashes(1) }), { code: 'PSC_EXPIRED' });
      const another = await authorize(id);
      later(301);
      const before = world.pscs[id].asked.length;
      await assert.rejects(psc.signHashes(another, { hashes: someHashes(1) }), { code: 'PSC_EXPIRED' });
      assert.equal(world.pscs[id].asked.length, before, 'nobody was asked with a token known to be over');
    });
  });
}

test('VIDAAS asks the telephone: no address for the browser, a transaction to poll', async () => {
  const pending = await begin('VIDAAS');
  assert.deepEqual([pending.mode, pending.url, pending.redirectUri], ['push', null, 'push://']);
  assert.ok(pending.transaction);
  for (const id of pscIds.filter((one) => one !== 'VIDAAS')) assert.equal((await begin(id)).mode, 'redirect');
});

test('the lifetime asked for never passes the ceiling of DOC-ICP-17.01', async () => {
  const long = { psc: 'BIRDID', hashes: 1, redirectUri: 'http://127.0.0.1:9/callback/psc', lifetimeSeconds: 10_000_000 } as const;
  assert.equal((await psc.beginAuthorization({ ...long, identification: ana.cpf })).lifetimeSeconds, 604_800);
  assert.equal((await psc.beginAuthorization({ ...long, identification: company.cnpj })).lifetimeSeconds, 2_592_000);
});
