import assert from 'node:assert/strict';
import { constants, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { test } from 'node:test';
import type { SignatureAlgorithm } from './algorithms.ts';
import { verifySigned } from './verify-signed.ts';

const data = new TextEncoder().encode('signed attributes');
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
/** RSASSA-PSS, which the key itself says. */
const pss = generateKeyPairSync('rsa-pss', { modulusLength: 2048 });
const { RSA_PKCS1_PADDING, RSA_PKCS1_PSS_PADDING } = constants;

function verified(publicKey: KeyObject, kind: SignatureAlgorithm['kind'], signature: Uint8Array, saltLength = 32) {
  const algorithm: SignatureAlgorithm = { kind, hash: 'sha256', saltLength };
  const spki = new Uint8Array(publicKey.export({ type: 'spki', format: 'der' }));
  return verifySigned({ publicKey: spki, algorithm, hash: 'sha256', data, signature });
}

test('a signature holds in the form that its algorithm has, and in no other', async () => {
  const der = sign('sha256', data, { key: ec.privateKey, dsaEncoding: 'der' });
  const plain = sign('sha256', data, { key: ec.privateKey, dsaEncoding: 'ieee-p1363' });
  const block = sign('sha256', data, { key: rsa.privateKey, padding: RSA_PKCS1_PADDING });
  const masked = sign('sha256', data, { key: rsa.privateKey, padding: RSA_PKCS1_PSS_PADDING, saltLength: 32 });
  const own = sign('sha256', data, { key: pss.privateKey, padding: RSA_PKCS1_PSS_PADDING, saltLength: 32 });
  assert.equal(await verified(ec.publicKey, 'ecdsa', der), true);
  assert.equal(await verified(ec.publicKey, 'ecdsa', plain), false);
  assert.equal(await verified(ec.publicKey, 'plain-ecdsa', plain), true);
  assert.equal(await verified(ec.publicKey, 'plain-ecdsa', der), false);
  assert.equal(await verified(rsa.publicKey, 'rsa', block), true);
  assert.equal(await verified(rsa.publicKey, 'rsa', masked), false);
  assert.equal(await verified(rsa.publicKey, 'rsa-pss', masked), true);
  assert.equal(await verified(rsa.publicKey, 'rsa-pss', masked, 20), false, 'another length of salt');
  assert.equal(await verified(rsa.publicKey, 'rsa-pss', block), false);
  assert.equal(await verified(pss.publicKey, 'rsa-pss', own), true);
  assert.equal(await verified(pss.publicKey, 'rsa', own), false, 'a key that is for the other algorithm alone');
});
