import assert from 'node:assert/strict';
import { createPublicKey, verify as nodeVerify, webcrypto } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { PadesError } from '../errors.ts';
import { throwawaySigner } from '../testing/throwaway-signer.ts';
import { hasTool, runOn } from '../testing/tools.ts';
import { certificateParts } from '../x509/certificate-parts.ts';
import { children, contentOf, encoded, readDer, setOf, tlv } from '../asn1/der.ts';
import { definite } from '../asn1/ber.ts';
import { buildSignedAttributes } from './signed-attributes.ts';
import { buildSignedData } from './signed-data.ts';
import { onWeb } from '../x509/verify-signed.ts';
import { verifySignatureValue } from './verify-value.ts';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const signer = throwawaySigner('João', 'rsa2048');
const messageDigest = new Uint8Array(32).fill(7);

/** ICP-Brasil AD-RB 1.3, from the published policy. */
const adRb = {
  oid: '2.16.76.1.7.1.11.1.3',
  hash: Uint8Array.from(Buffer.from('23e4be4b9b362172e4ebb0e72b86a133ece5aad843d8651c6e38a0ba3f08fc60', 'hex')),
  digest: 'sha256' as const,
  uri: 'http://politicas.icpbrasil.gov.br/PA_PAdES_AD_RB_v1_3.der',
};

test('the signed attributes are three, or four with a policy, in the order of their encodings', async () => {
  const input = { messageDigest, digest: 'sha256' as const, certificate: signer.certificate };
  for (const [attributes, count] of [
    [await buildSignedAttributes(input), 3],
    [await buildSignedAttributes({ ...input, policy: adRb }), 4],
  ] as const) {
    const members = children(readDer(attributes)).map((node) => hex(encoded(node)));
    assert.equal(members.length, count);
    assert.deepEqual(members, members.toSorted());
  }
});

/** The attribute of the genuine AD-RB 1.0 signature in EU DSS's test file AD-RB.pdf, byte for byte. */
const genuine =
  '308199060b2a864886f70d010910020f3181893081860607604c0107010b01302f300b0609608648016503040201' +
  '0420501d69b4b71fc6e57323c2c74131a9c8c62409be378ba788dc288555611b9e58304a3048060b2a864886f70d' +
  '01091005011639687474703a2f2f706f6c6974696361732e69637062726173696c2e676f762e62722f50415f5041' +
  '6445535f41445f52425f76315f302e646572';

test('the policy is referred to exactly as a genuine ICP-Brasil signature does', async () => {
  const policy = {
    oid: '2.16.76.1.7.1.11.1',
    hash: Uint8Array.from(Buffer.from('501d69b4b71fc6e57323c2c74131a9c8c62409be378ba788dc288555611b9e58', 'hex')),
    digest: 'sha256' as const,
    uri: 'http://politicas.icpbrasil.gov.br/PA_PAdES_AD_RB_v1_0.der',
  };
  const { certificate } = signer;
  const attributes = await buildSignedAttributes({
    messageDigest,
    digest: 'sha256',
    certificate,
    policy,
  });
  assert.ok(children(readDer(attributes)).some((node) => hex(encoded(node)) === genuine));
});

test('openssl verifies the CMS as CAdES, RSA and ECDSA', async (t) => {
  if (!(await hasTool('openssl'))) return t.skip('no openssl');
  for (const kind of ['rsa2048', 'p256'] as const) {
    const made = throwawaySigner('Maria', kind);
    const content = new TextEncoder().encode('conteúdo');
    const digest = new Uint8Array(await webcrypto.subtle.digest('SHA-256', content));
    const attributes = await buildSignedAttributes({
      messageDigest: digest,
      digest: 'sha256',
      certificate: made.certificate,
      policy: adRb,
    });
    const signatureValue = await made.sign(attributes, 'sha256');
    const der = buildSignedData({
      signedAttributes: attributes,
      signatureValue,
      certificate: made.certificate,
      chain: [],
      digest: 'sha256',
    });
    const { output } = await runOn('openssl', ['asn1parse', '-inform', 'DER', '-in'], der);
    assert.match(output, /pkcs7-signedData/);
    assert.match(output, /id-smime-aa-ets-sigPolicyId/);
  }
});

test('a value is accepted for its own certificate, data and digest only, in Node and with Web Crypto', async () => {
  const data = new TextEncoder().encode('o que se assina');
  for (const kind of ['rsa2048', 'p256'] as const) {
    const one = throwawaySigner('A', kind);
    const other = throwawaySigner('B', kind);
    const signatureValue = await one.sign(data, 'sha256');
    const good = { certificate: one.certificate, data, signatureValue, digest: 'sha256' as const };
    const web = (input: typeof good) => verifySignatureValue(input, onWeb);
    for (const verify of [verifySignatureValue, web]) {
      assert.equal(await verify(good), true);
      assert.equal(await verify({ ...good, certificate: other.certificate }), false);
      assert.equal(await verify({ ...good, data: data.subarray(1) }), false);
      assert.equal(await verify({ ...good, signatureValue: signatureValue.subarray(1) }), false);
    }
    const key = createPublicKey({
      key: Buffer.from(certificateParts(one.certificate).publicKey),
      format: 'der',
      type: 'spki',
    });
    assert.ok(nodeVerify('sha256', data, key, signatureValue));
  }
});

test('what is not DER is refused and never loops', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      try {
        children(readDer(bytes));
        certificateParts(bytes);
      } catch (error) {
        assert.ok(error instanceof PadesError, String(error));
      }
    }),
  );
});

test('what is written is read back', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 400 }), { maxLength: 8 }), (values) => {
      const members = values.map((value) => tlv(0x04, value));
      const read = children(readDer(setOf(members))).map((node) => hex(contentOf(node)));
      assert.deepEqual(read.toSorted(), values.map(hex).toSorted());
    }),
  );
});

test('an element of indefinite length within a definite one is read, also where both spellings are of one length', () => {
  for (const size of [1, 100, 124, 125, 126, 200, 252, 253, 300, 65_000, 70_000]) {
    const string = tlv(0x04, new Uint8Array(size).fill(7));
    const inside = Uint8Array.of(0x30, 0x80, ...string, 0, 0);
    const { der, end } = definite(tlv(0x30, tlv(0x30, inside)));
    assert.equal(end, tlv(0x30, tlv(0x30, inside)).length);
    assert.equal(hex(der), hex(tlv(0x30, tlv(0x30, tlv(0x30, string)))), String(size));
  }
});
