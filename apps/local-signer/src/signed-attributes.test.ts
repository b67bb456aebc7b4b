import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { adRb13, fromBase64, memorySource, openPdf, prepareSignature } from '@lavra/pades';
import { createIcpBrasilPki } from '@lavra/make-believe';
import fc from 'fast-check';
import { areSignedAttributes } from './signed-attributes.ts';
import { onePage } from './testing/prepared.ts';

describe('areSignedAttributes', () => {
  let certificate: Uint8Array;
  let another: Uint8Array;
  let plain: Uint8Array;
  let withPolicy: Uint8Array;

  before(async () => {
    const pki = await createIcpBrasilPki();
    ({ certificate } = await pki.issuePerson({ name: 'Ana', cpf: '52998224725' }));
    ({ certificate: another } = await pki.issuePerson({ name: 'Bruno', cpf: '11144477735' }));
    const pdf = await openPdf(memorySource(onePage()));
    const request = { field: { name: 'A' }, certificate, chain: [], signingTime: new Date() };
    plain = fromBase64((await prepareSignature(pdf, request)).signedAttributes);
    withPolicy = fromBase64((await prepareSignature(pdf, { ...request, policy: adRb13 })).signedAttributes);
  });

  test('lets through what the engine prepares, with and without a policy', () => {
    assert.ok(areSignedAttributes(plain, 'sha256', certificate));
    assert.ok(areSignedAttributes(withPolicy, 'sha256', certificate));
  });

  test('refuses them for another certificate and another digest', () => {
    assert.ok(!areSignedAttributes(plain, 'sha256', another));
    assert.ok(!areSignedAttributes(plain, 'sha512', certificate));
  });

  test('refuses any other bytes, and these with something added, cut or moved', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => !areSignedAttributes(bytes, 'sha256', certificate)));
    const most = plain.length - 1;
    fc.assert(
      fc.property(fc.nat({ max: most }), fc.uint8Array({ minLength: 1, maxLength: 8 }), (at, more) => {
        const longer = Uint8Array.from([...plain.subarray(0, at), ...more, ...plain.subarray(at)]);
        return !areSignedAttributes(longer, 'sha256', certificate) && !areSignedAttributes(plain.subarray(0, at), 'sha256', certificate);
      }),
    );
  });

  test('refuses an attribute more, an attribute twice, and none of the three missing', () => {
    // The attributes are SEQUENCEs right inside the SET, whose header has two or three octets.
    const header = (plain[1] ?? 0) > 128 ? 2 + ((plain[1] ?? 0) & 127) : 2;
    const attributes: Uint8Array[] = [];
    for (let at = header; at < plain.length;) {
      const long = (plain[at + 1] ?? 0) > 128;
      const length = long ? 3 + (plain[at + 2] ?? 0) : 2 + (plain[at + 1] ?? 0);
      attributes.push(plain.subarray(at, at + length));
      at += length;
    }
    assert.equal(attributes.length, 3);
    const setOf = (members: readonly Uint8Array[]) => {
      const content = Buffer.concat(members.toSorted(Buffer.compare));
      const length =
        content.length < 128
          ? [content.length]
          : content.length < 256
            ? [0x81, content.length]
            : [0x82, content.length >> 8, content.length & 255];
      return Uint8Array.from([0x31, ...length, ...content]);
    };
    assert.ok(areSignedAttributes(setOf(attributes), 'sha256', certificate));
    for (const missing of attributes) {
      assert.ok(!areSignedAttributes(setOf(attributes.filter((one) => one !== missing)), 'sha256', certificate));
      assert.ok(!areSignedAttributes(setOf([...attributes, missing]), 'sha256', certificate));
    }
    // A challenge password (1.2.840.113549.1.9.7), as a certificate request has.
    const challenge = Buffer.from('301306092a864886f70d01090731060c046f6c6121', 'hex');
    assert.ok(!areSignedAttributes(setOf([...attributes, challenge]), 'sha256', certificate));
  });
});
