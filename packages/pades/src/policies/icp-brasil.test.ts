import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { child, children, contentOf, readDer, sequence, tlv } from '../asn1/der.ts';
import { signedAttributesWith } from '../testing/signed-attributes.ts';
import { PadesError } from '../errors.ts';
import { latin1Text } from '../pdf/objects.ts';
import { dotted } from '../asn1/values.ts';
import { adRa14, adRb13, adRc14, adRt13, knownPolicies } from './icp-brasil.ts';
import { readPolicyHash } from './policy-hash.ts';

const folder = process.env['LAVRA_POLICIES'] ?? resolve(import.meta.dirname, '../../../../../shared/icp-brasil/policies');
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

test('the current policies are AD-RB 1.3, AD-RT 1.3, AD-RC 1.4 and AD-RA 1.4', () => {
  const facts = [adRb13, adRt13, adRc14, adRa14].map(({ oid, uri, needsTimestamp = false }) => [oid, uri, needsTimestamp]);
  assert.deepEqual(facts, [
    ['2.16.76.1.7.1.11.1.3', 'http://politicas.icpbrasil.gov.br/PA_PAdES_AD_RB_v1_3.der', false],
    ['2.16.76.1.7.1.12.1.3', 'http://politicas.icpbrasil.gov.br/PA_PAdES_AD_RT_v1_3.der', true],
    ['2.16.76.1.7.1.13.1.4', 'http://politicas.icpbrasil.gov.br/PA_PAdES_AD_RC_v1_4.der', true],
    ['2.16.76.1.7.1.14.1.4', 'http://politicas.icpbrasil.gov.br/PA_PAdES_AD_RA_v1_4.der', true],
  ]);
  for (const policy of [adRb13, adRt13, adRc14, adRa14]) {
    const entry = knownPolicies.get(policy.oid);
    assert.equal(hex(policy.hash), entry?.hash);
    assert.equal(entry?.revoked, null);
  }
  assert.equal(knownPolicies.size, 18);
});

test('every known policy has the hash, number and signing period of the file ITI published', async (t) => {
  if (!existsSync(folder)) return t.skip(`no policies at ${folder} (set LAVRA_POLICIES)`);
  for (const policy of knownPolicies.values()) {
    const der = new Uint8Array(readFileSync(join(folder, policy.uri.slice(policy.uri.lastIndexOf('/') + 1))));
    const { digest, hash } = await readPolicyHash(der);
    assert.equal(digest, 'sha256');
    assert.equal(hex(hash), policy.hash, policy.name);
    const info = child(readDer(der), 1, 0x30);
    const [id, , , , validation] = children(info);
    assert.ok(id && validation);
    assert.ok((await signedAttributesWith(policy)).includes(hex(contentOf(id))), policy.name);
    const period = children(child(validation, 0, 0x30)).map((time) => latin1Text(contentOf(time)).slice(0, 8));
    assert.deepEqual(
      period,
      [policy.from, policy.until].map((date) => date.toISOString().slice(0, 10).replaceAll('-', '')),
    );
  }
});

test('every known policy permits the algorithms and roots that its file lists', async (t) => {
  if (!existsSync(folder)) return t.skip(`no policies at ${folder} (set LAVRA_POLICIES)`);
  for (const policy of knownPolicies.values()) {
    const der = new Uint8Array(readFileSync(join(folder, policy.uri.slice(policy.uri.lastIndexOf('/') + 1))));
    const rules = child(child(child(readDer(der), 1, 0x30), 4, 0x30), 1, 0x30);
    const constraints = children(rules).find(({ tag }) => tag === 0xa4);
    assert.ok(constraints);
    const stated = children(child(child(child(constraints, 0, 0x30), 0, 0xa0), 0, 0x30)).map((one) => [
      dotted(child(one, 0)),
      contentOf(child(one, 1, 0x02)).reduce((sum, byte) => sum * 256 + byte, 0),
    ]);
    // Ed25519ph and Ed448ph have no place in CMS.
    const inCms = stated.filter(([id]) => id !== '1.3.101.114' && id !== '1.3.101.115');
    assert.deepEqual(
      policy.algorithms.map(({ oid, bits }) => [oid, bits]),
      inCms,
      policy.name,
    );
    // Behind each name stands the next SEQUENCE, 0x30.
    const file = latin1Text(der);
    const named = (['v2', 'v5', 'v12'] as const).filter((root) => file.includes(`Raiz Brasileira ${root}0`));
    assert.deepEqual([...policy.roots], named, policy.name);
  }
});

test('a policy whose stated hash is not its own, or that is none, is refused', async () => {
  const algorithm = sequence(tlv(6, Uint8Array.from([0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 1])));
  const info = sequence(tlv(4, Uint8Array.of(1)));
  assert.equal((await readPolicyHash(sequence(algorithm, info))).hash.length, 32);
  const files = [
    sequence(algorithm, info, tlv(4, new Uint8Array(32))),
    sequence(sequence(tlv(6, Uint8Array.of(42))), info),
    new Uint8Array(9),
  ];
  for (const der of files) await assert.rejects(readPolicyHash(der), (error: PadesError) => error.code === 'POLICY_INVALID');
});
