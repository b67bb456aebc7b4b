import assert from 'node:assert/strict';
import { createHash, createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { test } from 'node:test';
import { PadesError } from '../errors.ts';
import type { DigestName } from '../crypto.ts';
import { openPdf } from '../open-pdf.ts';
import { fromBase64, toBase64 } from '../base64.ts';
import { completeSignature } from '../sign/complete-signature.ts';
import { prepareSignature } from '../sign/prepare-signature.ts';
import { memorySource, readAll, withRevision } from '../source.ts';
import { extractSignatures, messageDigestOf, signerInfoOf } from '../testing/extract.ts';
import { simplePdf } from '../testing/make-pdf.ts';
import { throwawaySigner } from '../testing/throwaway-signer.ts';
import type { ThrowawayKind } from '../testing/throwaway-signer.ts';
import { hasTool, opensslCades, runWith } from '../testing/tools.ts';
import { certificateParts } from '../x509/certificate-parts.ts';
import { child, children, contentOf, derNull, encoded, oid, readDer, sequence, tlv } from '../asn1/der.ts';
import { digestFor, signingKeyOf } from './signing-key.ts';
import { onWeb, verifySigned } from '../x509/verify-signed.ts';
import { verifySignatureValue } from './verify-value.ts';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const policy = { oid: '1.2.3', hash: new Uint8Array(32), digest: 'sha256' as const, digests: ['sha256', 'sha512'] as const };

function refusal(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof PadesError) return error.code;
  }
  return 'none';
}

/** Identifiers of digest and signature as RFC 5754, RFC 5758 and RFC 8419 want them encoded. */
const expectations: readonly [ThrowawayKind, DigestName | undefined, string, string][] = [
  ['rsa2048', undefined, '300b0609608648016503040201', '300d06092a864886f70d01010b0500'],
  ['rsa3072', 'sha512', '300b0609608648016503040203', '300d06092a864886f70d01010d0500'],
  ['p256', undefined, '300b0609608648016503040201', '300a06082a8648ce3d040302'],
  ['p384', undefined, '300b0609608648016503040202', '300a06082a8648ce3d040303'],
  ['p521', undefined, '300b0609608648016503040203', '300a06082a8648ce3d040304'],
  ['ed25519', undefined, '300b0609608648016503040203', '300506032b6570'],
];

for (const [kind, digest, digestAlgorithm, signatureAlgorithm] of expectations) {
  test(`${kind} signs with the digest that goes with it, in two steps, and the identifiers are exact`, async (t) => {
    const signer = throwawaySigner('Ana', kind);
    const base = memorySource(simplePdf());
    const request = { field: { name: 'ana' }, certificate: signer.certificate, chain: [], signingTime: new Date(0) };
    const prepared = await prepareSignature(await openPdf(base), { ...request, ...(digest ? { digest } : {}) });
    const attributes = fromBase64(prepared.signedAttributes);
    const hashed = createHash(prepared.digest).update(attributes).digest();
    // Ed25519 takes the message itself: there is no hash to hand to a key elsewhere.
    assert.equal(prepared.toBeSigned, kind === 'ed25519' ? prepared.signedAttributes : toBase64(hashed));
    const value = await signer.sign(attributes, prepared.digest);
    const spoilt = value.slice();
    spoilt[spoilt.length - 1] = (spoilt.at(-1) ?? 0) ^ 1;
    await assert.rejects(completeSignature(prepared, spoilt), (error: PadesError) => error.code === 'SIGNATURE_MISMATCH');
    const revision = await completeSignature(prepared, value);
    const [found] = extractSignatures(await readAll(withRevision(base, revision)));
    assert.ok(found);
    const info = signerInfoOf(found.cms);
    assert.equal(hex(info.digestAlgorithm), digestAlgorithm);
    assert.equal(hex(info.signatureAlgorithm), signatureAlgorithm);
    assert.equal(info.unsignedAttributes, null);
    assert.deepEqual(messageDigestOf(info.signedAttributes), new Uint8Array(createHash(prepared.digest).update(found.content).digest()));
    const key = createPublicKey({ key: Buffer.from(certificateParts(signer.certificate).publicKey), format: 'der', type: 'spki' });
    assert.ok(verify(kind === 'ed25519' ? null : prepared.digest, info.signedAttributes, key, info.signatureValue));
    if (!(await hasTool('openssl'))) return t.diagnostic('no openssl');
    const ours = kind === 'ed25519' ? await ed25519ByOpenssl(key.export({ type: 'spki', format: 'der' }), info) : null;
    const judged = ours ?? (await opensslCades(found.cms, found.content, [signer.certificate]));
    assert.equal(judged.code, 0, judged.output);
  });
}

/** OpenSSL before 3.2 has no EdDSA in its CMS: its raw verification is asked over the signed attributes instead. */
function ed25519ByOpenssl(key: Uint8Array, info: { signedAttributes: Uint8Array; signatureValue: Uint8Array }) {
  const files = ['-inkey', '{key}', '-in', '{data}', '-sigfile', '{value}'];
  const parameters = ['pkeyutl', '-verify', '-pubin', '-keyform', 'DER', '-rawin', ...files];
  return runWith('openssl', parameters, { key, data: info.signedAttributes, value: info.signatureValue });
}

test('a key says its kind and strength; the digest follows it within the policy', () => {
  const digests = (kind: ThrowawayKind): string[] => {
    const key = signingKeyOf(throwawaySigner('A', kind).certificate);
    return [String(key.bits), digestFor(key, undefined, undefined), digestFor(key, undefined, policy)];
  };
  assert.deepEqual(digests('rsa2048'), ['2048', 'sha256', 'sha256']);
  assert.deepEqual(digests('rsa3072'), ['3072', 'sha256', 'sha256']);
  assert.deepEqual(digests('p256'), ['256', 'sha256', 'sha256']);
  // SHA-384 is in no ICP-Brasil policy: the next stronger one is taken.
  assert.deepEqual(digests('p384'), ['384', 'sha384', 'sha512']);
  assert.deepEqual(digests('p521'), ['521', 'sha512', 'sha512']);
  assert.deepEqual(digests('ed25519'), ['256', 'sha512', 'sha512']);
  const key = signingKeyOf(throwawaySigner('A', 'p384').certificate);
  assert.equal(digestFor(key, 'sha256', policy), 'sha256');
  assert.equal(
    refusal(() => digestFor(key, 'sha384', policy)),
    'UNSUPPORTED_ALGORITHM',
  );
  assert.equal(
    refusal(() => digestFor({ kind: 'ed25519', bits: 256 }, 'sha256', undefined)),
    'UNSUPPORTED_ALGORITHM',
  );
});

/** A certificate of nobody around a public key: only what `signingKeyOf` reads is in it. */
function around(publicKey: Uint8Array): Uint8Array {
  const empty = sequence();
  const signature = tlv(3, Uint8Array.of(0, 1));
  return sequence(sequence(tlv(2, Uint8Array.of(1)), sequence(oid('1.2.3'), derNull), empty, empty, empty, publicKey), empty, signature);
}

/** RSAPublicKey with another exponent: e = 1 makes a value of anything. */
function withExponent(publicKey: Uint8Array, exponent: number): Uint8Array {
  const [algorithm, bits] = children(readDer(publicKey));
  assert.ok(algorithm && bits);
  const modulus = child(readDer(contentOf(bits).subarray(1)), 0, 0x02);
  const key = sequence(encoded(modulus), tlv(2, Uint8Array.of(exponent)));
  return sequence(encoded(algorithm), tlv(3, Uint8Array.of(0), key));
}

test('a value under the exponent 1 or 2 is no signature, whoever certified the key', async () => {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const spki = new Uint8Array(publicKey.export({ type: 'spki', format: 'der' }));
  const data = Uint8Array.of(1, 2, 3);
  const info = sequence(
    sequence(oid('2.16.840.1.101.3.4.2.1'), derNull),
    tlv(4, new Uint8Array(createHash('sha256').update(data).digest())),
  );
  const padding = new Uint8Array(256 - info.length - 3).fill(0xff);
  // Raised to the first power, what was padded is what is checked.
  const signature = Uint8Array.of(0, 1, ...padding, 0, ...info);
  const algorithm = { kind: 'rsa' as const, hash: 'sha256' as const };
  for (const exponent of [1, 2]) {
    assert.equal(await verifySigned({ publicKey: withExponent(spki, exponent), algorithm, hash: 'sha256', data, signature }), false);
  }
  const plain = createPublicKey({ key: Buffer.from(withExponent(spki, 1)), format: 'der', type: 'spki' });
  assert.equal(verify('sha256', data, plain, signature), true, 'without the rule the platform calls it one');
});

test('weak RSA, keys bound to RSASSA-PSS and other curves are refused before anything is written', () => {
  const keys = [
    generateKeyPairSync('rsa', { modulusLength: 1024 }),
    generateKeyPairSync('rsa', { modulusLength: 2048, publicExponent: 3 }),
    generateKeyPairSync('rsa-pss', { modulusLength: 2048 }),
    generateKeyPairSync('ec', { namedCurve: 'secp256k1' }),
    generateKeyPairSync('ec', { namedCurve: 'brainpoolP256r1' }),
    generateKeyPairSync('ed448'),
    generateKeyPairSync('x25519'),
  ];
  for (const { publicKey } of keys) {
    const certificate = around(publicKey.export({ type: 'spki', format: 'der' }));
    assert.equal(
      refusal(() => signingKeyOf(certificate)),
      'UNSUPPORTED_ALGORITHM',
      publicKey.asymmetricKeyType,
    );
  }
  const broken = sequence(sequence(oid('1.2.840.113549.1.1.1'), derNull), tlv(3, Uint8Array.of(0, 5)));
  assert.equal(
    refusal(() => signingKeyOf(around(broken))),
    'CERTIFICATE_INVALID',
  );
});

test('every kind of value is checked alike in Node and with Web Crypto', async () => {
  const data = new TextEncoder().encode('o que se assina');
  for (const kind of ['rsa3072', 'p384', 'p521', 'ed25519'] as const) {
    const one = throwawaySigner('A', kind);
    const good = { certificate: one.certificate, data, signatureValue: await one.sign(data, 'sha512'), digest: 'sha512' as const };
    const web = (input: typeof good) => verifySignatureValue(input, onWeb);
    const other = throwawaySigner('B', kind);
    for (const check of [verifySignatureValue, web]) {
      assert.equal(await check(good), true, kind);
      assert.equal(await check({ ...good, certificate: other.certificate }), false);
      assert.equal(await check({ ...good, data: data.subarray(1) }), false);
      assert.equal(await check({ ...good, signatureValue: good.signatureValue.subarray(1) }), false);
    }
  }
});
