import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { createHmac, pbkdf2Sync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createIcpBrasilPki, writeCertificateFile } from '@lavra/make-believe';
import fc from 'fast-check';
import { certificateParts } from '../x509/certificate-parts.ts';
import { child, children, contentOf, derNull, encoded, octetString, oid, readDer, sequence, tlv } from '../asn1/der.ts';
import { verifySignatureValue } from '../cms/verify-value.ts';
import { PadesError } from '../errors.ts';
import { openPdf } from '../open-pdf.ts';
import { signPdf } from '../sign/sign-pdf.ts';
import { memorySource, readAll, withRevision } from '../source.ts';
import { extractSignatures } from '../testing/extract.ts';
import { simplePdf } from '../testing/make-pdf.ts';
import { opensslCades } from '../testing/tools.ts';
import { certificateFileSigner, openCertificateFile, openCertificateFiles } from './index.ts';
import { workOf } from '../testing/work.ts';

const missing = spawnSync('openssl', ['version']).status !== 0 ? 'no openssl' : false;
const folder = mkdtempSync(join(tmpdir(), 'pades-p12-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string): string => join(folder, name);
const openssl = (...parameters: string[]): void => void execFileSync('openssl', parameters, { cwd: folder, stdio: 'pipe' });

/** The root, an intermediate and one leaf for each kind of key, made by OpenSSL. */
const kinds: Record<string, string[]> = {
  rsa: ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048'],
  weak: ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:1024'],
  p256: ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256'],
  p384: ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-384'],
  p521: ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-521'],
  k1: ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:secp256k1'],
  ed25519: ['-algorithm', 'ED25519'],
};

function makeWorld(): void {
  const p256 = kinds['p256'] ?? [];
  writeFileSync(at('ca.ext'), 'basicConstraints=critical,CA:TRUE\n');
  openssl('genpkey', ...p256, '-out', 'root.key');
  openssl('req', '-x509', '-new', '-key', 'root.key', '-subj', '/CN=Raiz', '-days', '30', '-out', 'root.crt');
  openssl('genpkey', ...p256, '-out', 'sub.key');
  openssl('req', '-new', '-key', 'sub.key', '-subj', '/CN=AC', '-out', 'sub.csr');
  issue('sub', 'root', ['-extfile', 'ca.ext']);
  for (const [kind, parameters] of Object.entries(kinds)) {
    openssl('genpkey', ...parameters, '-out', `${kind}.key`);
    openssl('req', '-new', '-key', `${kind}.key`, '-subj', `/CN=Maria:52998224725 ${kind}`, '-out', `${kind}.csr`);
    issue(kind, 'sub', []);
  }
  writeFileSync(at('chain.pem'), readFileSync(at('root.crt'), 'latin1') + readFileSync(at('sub.crt'), 'latin1'));
}

function issue(name: string, by: string, more: string[]): void {
  const ca = ['-CA', `${by}.crt`, '-CAkey', `${by}.key`, '-CAcreateserial', '-days', '30'];
  openssl('x509', '-req', '-in', `${name}.csr`, ...ca, '-out', `${name}.crt`, ...more);
}

if (!missing) makeWorld();

/** `openssl pkcs12 -export` of a leaf with its chain. */
function exported(kind: string, password: string, ...more: string[]): Uint8Array {
  const parameters = ['-inkey', `${kind}.key`, '-in', `${kind}.crt`, '-certfile', 'chain.pem', '-passout', `pass:${password}`];
  openssl('pkcs12', '-export', ...parameters, '-out', 'file.p12', ...more);
  return new Uint8Array(readFileSync(at('file.p12')));
}

async function refusal(bytes: Uint8Array, password: string): Promise<PadesError> {
  try {
    await openCertificateFile(bytes, password);
  } catch (error) {
    assert.ok(error instanceof PadesError, String(error));
    return error;
  }
  throw new Error('not refused');
}

const der = (name: string): Uint8Array => new Uint8Array(execFileSync('openssl', ['x509', '-in', at(`${name}.crt`), '-outform', 'DER']));

const shapes: readonly [string, string, string, readonly string[]][] = [
  ['a modern RSA file', 'rsa', 'segredo', []],
  ['P-256', 'p256', 'segredo', []],
  ['P-384', 'p384', 'segredo', []],
  ['P-521', 'p521', 'segredo', []],
  ['Ed25519', 'ed25519', 'segredo', []],
  ['a password beyond ASCII', 'p256', 'maçã€漢😀', []],
  ['an empty password', 'rsa', '', []],
  ['600,000 iterations', 'p256', 'segredo', ['-iter', '600000']],
  ['AES-128 and a SHA-1 MAC', 'rsa', 'segredo', ['-keypbe', 'AES-128-CBC', '-certpbe', 'AES-128-CBC', '-macalg', 'sha1']],
  ['AES-192 and a SHA-512 MAC', 'rsa', 'segredo', ['-keypbe', 'AES-192-CBC', '-certpbe', 'AES-192-CBC', '-macalg', 'sha512']],
  ['no encryption of the certificates', 'rsa', 'segredo', ['-certpbe', 'NONE']],
  ['no encryption of the key', 'p256', 'segredo', ['-keypbe', 'NONE']],
  ['no MAC', 'rsa', 'segredo', ['-nomac']],
  ['RC2-40 and triple DES', 'rsa', 'segredo', ['-legacy']],
  ['RC2-40, triple DES and an elliptic curve', 'p384', 'segredo', ['-legacy']],
  ['RC2-40 and an empty password', 'rsa', '', ['-legacy']],
  ['RC2-40 and a password beyond ASCII', 'rsa', 'maçã', ['-legacy']],
  ['RC2-128', 'rsa', 'segredo', ['-legacy', '-certpbe', 'PBE-SHA1-RC2-128', '-keypbe', 'PBE-SHA1-RC2-128']],
  ['two-key triple DES', 'rsa', 'segredo', ['-legacy', '-certpbe', 'PBE-SHA1-2DES', '-keypbe', 'PBE-SHA1-2DES']],
  ['triple DES under PBES2', 'rsa', 'segredo', ['-certpbe', 'DES-EDE3-CBC', '-keypbe', 'DES-EDE3-CBC']],
];

for (const [name, kind, password, more] of shapes) {
  test(`opens ${name}: the certificate of the key, its issuers nearest first, a key that signs`, { skip: missing }, async () => {
    const file = await openCertificateFile(exported(kind, password, ...more), password);
    assert.deepEqual(file.certificate, der(kind));
    assert.deepEqual(file.chain, [der('sub'), der('root')]);
    const signer = await certificateFileSigner(file);
    const data = new TextEncoder().encode('o que se assina');
    const digest = 'sha512';
    const signatureValue = await signer.sign(data, digest);
    assert.ok(await verifySignatureValue({ certificate: file.certificate, data, signatureValue, digest }));
    if (password === '') return;
    const wrong = await refusal(exported(kind, password, ...more), `${password}x`);
    assert.equal(wrong.code, 'P12_WRONG_PASSWORD');
  });
}

test('a file signs a document', { skip: missing }, async () => {
  const signer = await certificateFileSigner(await openCertificateFile(exported('rsa', 'a', '-legacy'), 'a'));
  const base = memorySource(simplePdf());
  const revision = await signPdf(await openPdf(base), signer, { field: { name: 'ana' }, signingTime: new Date(0) });
  const [found] = extractSignatures(await readAll(withRevision(base, revision)));
  assert.ok(found);
  const judged = await opensslCades(found.cms, found.content, [der('root')]);
  assert.equal(judged.code, 0, judged.output);
});

/** The file with a MAC of RFC 9579, which OpenSSL makes only from 3.4 on: PBKDF2 and HMAC with SHA-256. */
function withPbmac1(bytes: Uint8Array, password: string): Uint8Array {
  return pbmac1Of(safesOf(bytes), password);
}

/** AuthenticatedSafe: a SEQUENCE of ContentInfo. */
function safesOf(bytes: Uint8Array): Uint8Array {
  return contentOf(child(child(child(readDer(bytes), 1), 1, 0xa0), 0, 0x04));
}

function pbmac1Of(content: Uint8Array, password: string): Uint8Array {
  const salt = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8);
  const hmac = sequence(oid('1.2.840.113549.2.9'), derNull);
  const parameters = sequence(octetString(salt), tlv(2, Uint8Array.of(8, 0)), tlv(2, Uint8Array.of(32)), hmac);
  const derivation = sequence(oid('1.2.840.113549.1.5.12'), parameters);
  const key = pbkdf2Sync(password, salt, 2048, 32, 'sha256');
  const mac = createHmac('sha256', key).update(content).digest();
  const algorithm = sequence(oid('1.2.840.113549.1.5.14'), sequence(derivation, hmac));
  const macData = sequence(sequence(algorithm, octetString(mac)), octetString(new Uint8Array(8)), tlv(2, Uint8Array.of(1)));
  const authSafe = sequence(oid('1.2.840.113549.1.7.1'), tlv(0xa0, octetString(content)));
  return sequence(tlv(2, Uint8Array.of(3)), authSafe, macData);
}

test('a MAC made with PBKDF2 (PBMAC1) is checked', { skip: missing }, async () => {
  const bytes = withPbmac1(exported('p256', 'maçã', '-nomac'), 'maçã');
  assert.deepEqual((await openCertificateFile(bytes, 'maçã')).certificate, der('p256'));
  assert.equal((await refusal(bytes, 'pera')).code, 'P12_WRONG_PASSWORD');
});

test('a file with several keys gives each with its own certificate, for a person to choose', { skip: missing }, async () => {
  const safes = [exported('rsa', 'a'), exported('p256', 'a')].flatMap((bytes) => children(readDer(safesOf(bytes))).map(encoded));
  const bytes = pbmac1Of(sequence(...safes), 'a');
  const files = await openCertificateFiles(bytes, 'a');
  assert.deepEqual(
    files.map(({ certificate }) => certificate),
    [der('rsa'), der('p256')],
  );
  const data = Uint8Array.of(1, 2, 3);
  for (const file of files) {
    const signatureValue = await (await certificateFileSigner(file)).sign(data, 'sha256');
    assert.ok(await verifySignatureValue({ certificate: file.certificate, data, signatureValue, digest: 'sha256' }));
  }
  assert.deepEqual((await openCertificateFile(bytes, 'a')).certificate, der('rsa'));
});

test('opens with Web Crypto alone, as in a browser', { skip: missing }, async (t) => {
  const files = [exported('rsa', 'a', '-legacy'), exported('p256', 'a'), exported('ed25519', 'a')];
  t.mock.method(process, 'getBuiltinModule', () => undefined);
  for (const bytes of files) {
    const signer = await certificateFileSigner(await openCertificateFile(bytes, 'a'));
    const data = Uint8Array.of(1, 2, 3);
    const signatureValue = await signer.sign(data, 'sha512');
    assert.ok(await verifySignatureValue({ certificate: signer.certificate, data, signatureValue, digest: 'sha512' }));
  }
});

test('says the kind of key', { skip: missing }, async () => {
  const { keyType } = await openCertificateFile(exported('p384', 'a'), 'a');
  assert.deepEqual(keyType, { kind: 'ec', bits: 384, curve: 'P-384' });
  assert.equal((await openCertificateFile(exported('rsa', 'a'), 'a')).keyType.bits, 2048);
});

test('a file without a key, or without the certificate of its key, is refused as such', { skip: missing }, async () => {
  const password = ['-passout', 'pass:a'];
  openssl('pkcs12', '-export', '-nokeys', '-in', 'rsa.crt', ...password, '-out', 'nokey.p12');
  assert.equal((await refusal(new Uint8Array(readFileSync(at('nokey.p12'))), 'a')).code, 'P12_NO_KEY');
  openssl('pkcs12', '-export', '-nocerts', '-inkey', 'rsa.key', ...password, '-out', 'nocert.p12');
  assert.equal((await refusal(new Uint8Array(readFileSync(at('nocert.p12'))), 'a')).code, 'P12_NO_KEY');
});

test('weak keys, foreign curves, unknown ciphers and endless iterations are refused as unsupported', { skip: missing }, async () => {
  assert.equal((await refusal(exported('weak', 'a'), 'a')).code, 'P12_UNSUPPORTED');
  assert.equal((await refusal(exported('k1', 'a'), 'a')).code, 'P12_UNSUPPORTED');
  const camellia = await refusal(exported('rsa', 'a', '-certpbe', 'CAMELLIA-128-CBC'), 'a');
  assert.equal(camellia.code, 'P12_UNSUPPORTED');
  assert.equal(camellia.details['algorithm'], '1.2.392.200011.61.1.1.1.2');
  // The MAC's count is raised to the most that fits in its three bytes: 8,388,607.
  const slow = exported('p256', 'a', '-iter', '77777', '-keypbe', 'NONE', '-certpbe', 'NONE');
  const inMac = Buffer.from(slow).lastIndexOf(Buffer.from('0203012fd1', 'hex'));
  slow.set([0x7f, 0xff, 0xff], inMac + 2);
  const work = await workOf(async () => {
    const refused = await refusal(slow, 'a');
    assert.equal(refused.code, 'P12_UNSUPPORTED');
    assert.equal(refused.details['iterations'], 8_388_607);
  });
  assert.ok(work < 1000, 'refused before working');
});

test('what is no such file, or a part of one, is damaged: never another error, never a hang', { skip: missing }, async () => {
  const good = exported('rsa', 'a');
  for (const bytes of [new Uint8Array(0), Uint8Array.of(1, 2, 3), new TextEncoder().encode('-----BEGIN'), good.subarray(0, 900)]) {
    assert.equal((await refusal(bytes, 'a')).code, 'P12_DAMAGED');
  }
  const known = new Set(['P12_WRONG_PASSWORD', 'P12_DAMAGED', 'P12_UNSUPPORTED', 'P12_NO_KEY']);
  const slip = fc.record({ at: fc.nat(good.length - 1), bit: fc.nat(7) });
  await fc.assert(
    fc.asyncProperty(slip, async ({ at: place, bit }) => {
      const bytes = good.slice();
      bytes[place] = (bytes[place] ?? 0) ^ (1 << bit);
      // A bit of the MAC's own salt algorithm's NULL, say, may not matter.
      await openCertificateFile(bytes, 'a').catch((error: unknown) => {
        assert.ok(error instanceof PadesError && known.has(error.code), String(error));
      });
    }),
    { numRuns: 150 },
  );
});

test('a file in BER of indefinite length, as browsers made them, opens too', { skip: missing }, async () => {
  const file = await openCertificateFile(indefinite(exported('p256', 'a')), 'a');
  assert.deepEqual(file.certificate, der('p256'));
  assert.deepEqual(certificateParts(file.certificate).issuer, certificateParts(der('sub')).subject);
});

/** The outermost SEQUENCE, the ContentInfo and its OCTET STRING rewritten with indefinite lengths and in pieces. */
function indefinite(bytes: Uint8Array): Uint8Array {
  const length = (at: number): [number, number] => {
    const first = bytes[at + 1] ?? 0;
    if (first < 128) return [at + 2, first];
    let value = 0;
    for (let i = 0; i < (first & 127); i++) value = value * 256 + (bytes[at + 2 + i] ?? 0);
    return [at + 2 + (first & 127), value];
  };
  const [outer] = length(0);
  const version = bytes.subarray(outer, outer + 3);
  const [info, infoLength] = length(outer + 3);
  const id = bytes.subarray(info, info + 11);
  const [explicit] = length(info + 11);
  const [content, contentLength] = length(explicit);
  const data = bytes.subarray(content, content + contentLength);
  const piece = (part: Uint8Array): number[] => [0x04, 0x82, part.length >> 8, part.length & 255, ...part];
  const half = Math.floor(data.length / 2);
  const octets = [0x24, 0x80, ...piece(data.subarray(0, half)), ...piece(data.subarray(half)), 0, 0];
  const mac = bytes.subarray(info + infoLength);
  return Uint8Array.from([0x30, 0x80, ...version, 0x30, 0x80, ...id, 0xa0, 0x80, ...octets, 0, 0, 0, 0, ...mac, 0, 0]);
}

test('opens the make-believe files of a development start, old and new, as their owners will', async () => {
  const pki = await createIcpBrasilPki();
  const issued = await pki.issuePerson({ name: 'José Água', cpf: '52998224725' }, { type: 'A1' });
  for (const kind of ['modern', 'legacy'] as const) {
    const content = { certificate: issued.certificate, key: issued.key, chain: issued.chain.slice(0, -1), name: 'José Água' };
    const file = await openCertificateFile(writeCertificateFile(content, 'Água123', kind), 'Água123');
    assert.deepEqual([file.certificate, file.chain.length], [issued.certificate, 2]);
    await assert.rejects(openCertificateFile(writeCertificateFile(content, 'Água123', kind), 'agua123'), { code: 'P12_WRONG_PASSWORD' });
  }
});
