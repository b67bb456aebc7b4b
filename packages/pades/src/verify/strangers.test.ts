import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { derNull, encoded, octetString, oid, readDer, sequence, smallInteger, tlv, children } from '../asn1/der.ts';
import { oids } from '../asn1/oids.ts';
import { PadesError } from '../errors.ts';
import { openPdf } from '../open-pdf.ts';
import { latin1Text } from '../pdf/objects.ts';
import { parseOcspResponse } from '../revocation/ocsp.ts';
import { parseRevocationList } from '../revocation/crl.ts';
import { memorySource } from '../source.ts';
import { at as numbers, certified, handMade } from '../testing/attacks/bases.ts';
import { attackCms } from '../testing/attacks/forge-cms.ts';
import { attackWorld } from '../testing/attacks/world.ts';
import { makePdf } from '../testing/make-pdf.ts';
import { workOf } from '../testing/work.ts';
import { digestOf, platformCrypto } from '../crypto.ts';
import { parseSignedData } from '../cms/read-signed-data.ts';
import { verifyPdf } from './verify-pdf.ts';

const world = await attackWorld();

async function reportOf(bytes: Uint8Array) {
  return verifyPdf(await openPdf(memorySource(bytes)), world.options);
}

/** Milliseconds of work: half a second, minutes before these bounds were there. */
const patience = 20_000;

test('whatever a stranger puts into a CMS, there is a verdict and never an error', async () => {
  const good = await handMade(world, { cms: attackCms({}) });
  const text = latin1Text(good);
  const start = text.indexOf('/Contents <') + '/Contents <'.length;
  const size = readDer(Buffer.from(text.slice(start, text.indexOf('>', start)), 'hex')).end;
  for (let index = 0; index < size; index++) {
    for (const flip of [0x01, 0x80]) {
      const bytes = good.slice();
      const digits = (Number.parseInt(text.slice(start + index * 2, start + index * 2 + 2), 16) ^ flip).toString(16).padStart(2, '0');
      bytes.set(Buffer.from(digits, 'latin1'), start + index * 2);
      const { signatures } = await reportOf(bytes);
      assert.equal(signatures.length, 1, `byte ${index}`);
    }
  }
});

test('a revocation proof whose inside cannot be read is none, before anybody asks it', async () => {
  const time = tlv(0x18, Buffer.from('20260101000000Z'));
  const name = sequence();
  const bits = tlv(0x03, Uint8Array.of(0, 1));
  const answer = (hash: Uint8Array) =>
    sequence(sequence(hash, octetString(Uint8Array.of(1)), octetString(Uint8Array.of(1)), smallInteger(1)), tlv(0x80), time);
  const response = (hash: Uint8Array, algorithm: Uint8Array) =>
    sequence(sequence(tlv(0xa1, name), time, sequence(answer(hash))), algorithm, bits);
  const sound = sequence(oid('1.2.840.10045.4.3.2'));
  assert.equal(parseOcspResponse(response(sequence(oid('1.3.14.3.2.26')), sound)).answers.length, 1);
  const broken = (error: PadesError) => error.code === 'CERTIFICATE_INVALID';
  assert.throws(() => parseOcspResponse(response(derNull, sound)), broken);
  assert.throws(() => parseOcspResponse(response(sequence(oid('1.3.14.3.2.26')), sequence(derNull))), broken);
  assert.throws(() => parseRevocationList(sequence(sequence(sound, name, time), sequence(derNull), bits)), broken);
});

test('a timestamp over a SHA-1 imprint proves nothing', async () => {
  const { timestamps } = world;
  const stamp = async (value: Uint8Array): Promise<Uint8Array> => {
    const imprint = sequence(sequence(oid('1.3.14.3.2.26'), derNull), octetString(await digestOf(platformCrypto, 'sha1', value)));
    const answer = await timestamps.timestamp(
      sequence(smallInteger(1), imprint, tlv(0x02, Uint8Array.of(1, 2, 3)), tlv(0x01, Uint8Array.of(255))),
    );
    const token = children(readDer(answer))[1];
    assert.ok(token);
    return encoded(token);
  };
  const bytes = await handMade(world, {
    cms: async (facts) => {
      const plain = await attackCms({})(facts);
      const [info] = parseSignedData(plain).signers;
      assert.ok(info);
      const attribute = tlv(0xa1, sequence(oid(oids.signatureTimestamp), tlv(0x31, await stamp(info.signature))));
      return withUnsigned(plain, attribute);
    },
  });
  const [signature] = (await reportOf(bytes)).signatures;
  assert.deepEqual(signature?.timestamps[0]?.reasons, ['ALGORITHM_WEAK']);
  assert.equal(signature.provenTime, null);
});

/** The same CMS with unsigned attributes behind its only SignerInfo. */
function withUnsigned(der: Uint8Array, attributes: Uint8Array): Uint8Array {
  const [type, wrapper] = children(readDer(der));
  const [signedData] = wrapper === undefined ? [] : children(wrapper);
  const fields = signedData === undefined ? [] : children(signedData);
  const infos = fields.pop();
  const [info] = infos === undefined ? [] : children(infos);
  assert.ok(type && info);
  const longer = sequence(...children(info).map(encoded), attributes);
  return sequence(encoded(type), tlv(0xa0, sequence(...fields.map(encoded), tlv(0x31, longer))));
}

test('the P of a signature field lock binds what comes after, as a DocMDP statement does', async () => {
  const lock = '/Reference[<</Type/SigRef/TransformMethod/FieldMDP/TransformParams<</V/1.2/Action/Include/Fields[(fixo)]/P 1>>>>]';
  const bytes = await handMade(world, { signature: { entries: lock } });
  assert.equal((await reportOf(bytes)).signatures[0]?.permission, 1);
  assert.equal((await reportOf(await certified(world, 2))).signatures[0]?.permission, 2);
});

test('an empty DSS raises no level', async () => {
  const catalog = `<</Type/Catalog/Pages 2 0 R/AcroForm ${numbers.form} 0 R/DSS<<>>>>`;
  const token = attackCms({});
  const bytes = await handMade(world, { cms: token, objects: { [numbers.catalog]: catalog } });
  assert.equal((await reportOf(bytes)).signatures[0]?.level, 'B-B');
  const stamped = await handMade(world, {
    objects: { [numbers.catalog]: catalog },
    cms: async (facts) => {
      const plain = await attackCms({})(facts);
      const [info] = parseSignedData(plain).signers;
      assert.ok(info);
      const imprint = sequence(
        sequence(oid('2.16.840.1.101.3.4.2.1'), derNull),
        octetString(await digestOf(platformCrypto, 'sha256', info.signature)),
      );
      const answer = await world.timestamps.timestamp(
        sequence(smallInteger(1), imprint, tlv(0x02, Uint8Array.of(1)), tlv(0x01, Uint8Array.of(255))),
      );
      const granted = children(readDer(answer))[1];
      assert.ok(granted);
      return withUnsigned(plain, tlv(0xa1, sequence(oid(oids.signatureTimestamp), tlv(0x31, encoded(granted)))));
    },
  });
  assert.equal((await reportOf(stamped)).signatures[0]?.level, 'B-T');
});

test('a signature that does not protect its certificate has no baseline level', async () => {
  const bytes = await handMade(world, { cms: attackCms({ drop: 'signingCertificate' }) });
  assert.equal((await reportOf(bytes)).signatures[0]?.level, null);
});

const streamOf = (dict: string, data: Uint8Array): string => `<<${dict}/Length ${data.length}>>\nstream\n${latin1Text(data)}\nendstream`;
const pages = ['<</Kids[3 0 R]/Count 1/Type/Pages>>', '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>'];

test('validation data that decode without end cost little, by whatever filter and however often they are named', async () => {
  const bombs: [string, Uint8Array][] = [
    ['/Filter[/FlateDecode/ASCII85Decode]', deflateSync(Buffer.alloc(64 << 20, 'z'))],
    ['/Filter[/FlateDecode/ASCIIHexDecode]', deflateSync(Buffer.alloc(64 << 20, '4'))],
    ['/Filter[/FlateDecode/FlateDecode]', deflateSync(deflateSync(Buffer.alloc(120 << 20)))],
  ];
  for (const [filter, data] of bombs) {
    const bytes = makePdf([`<</Pages 2 0 R/DSS<</Certs[${'4 0 R '.repeat(500)}]>>>>`, ...pages, streamOf(filter, data)]);
    const took = await workOf(() => reportOf(bytes));
    assert.ok(took < patience, `${filter}: ${Math.round(took)} ms`);
  }
});

test('a cross-reference of a hundred thousand pieces is looked up without looking through them', async () => {
  const count = 100_000;
  let text = '%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n';
  const start = text.length;
  const rows = Array.from({ length: count }, (_, num) => `${num} 1\n${num === 1 ? '0000000009 00000 n' : '0000000000 00000 f'} \n`);
  text += `xref\n${rows.join('')}trailer\n<</Size ${count}/Root 1 0 R>>\nstartxref\n${start}\n%%EOF\n`;
  const took = await workOf(async () => {
    const pdf = await openPdf(memorySource(Buffer.from(text, 'latin1')));
    assert.equal((await pdf.entry(1))?.kind, 'offset');
    for (let num = 0; num < count; num++) await pdf.entry(num);
  });
  assert.ok(took < patience, `${Math.round(took)} ms`);
});

test('BER of many small parts is read in one go', async () => {
  const part = Uint8Array.of(0x30, 0x04, 0x04, 0x02, 0x80, 0x80);
  const many = Buffer.alloc(part.length * 400_000).fill(part);
  const took = await workOf(() => {
    assert.throws(() => parseSignedData(tlv(0x30, many, Uint8Array.of(4, 2, 0, 0))), PadesError);
    return Promise.resolve();
  });
  assert.ok(took < patience, `${Math.round(took)} ms`);
});
