import { createCipheriv, createHmac, type KeyObject, pbkdf2Sync, randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import * as asn1 from 'asn1js';
import { encode, integer, nothing, octets, oid, sequence, set, tagged } from '../der.ts';

export interface CertificateFileContent {
  readonly certificate: Uint8Array;
  /** Issuers that go into the file; the files of most people have none. */
  readonly chain: readonly Uint8Array[];
  readonly key: KeyObject;
  /** Shown by programs that list what is in the file. */
  readonly name: string;
}

/** `modern`: PBES2 with AES-256, SHA-256; `legacy`: certificates under RC2 with 40 bits, key under triple DES, SHA-1, as old e-CPF files. */
export type CertificateFileKind = 'modern' | 'legacy';

const iterations = 2048;
const ids = {
  data: '1.2.840.113549.1.7.1',
  encryptedData: '1.2.840.113549.1.7.6',
  pbes2: '1.2.840.113549.1.5.13',
  pbkdf2: '1.2.840.113549.1.5.12',
  hmacSha256: '1.2.840.113549.2.9',
  aes256: '2.16.840.1.101.3.4.1.42',
  rc2: '1.2.840.113549.1.12.1.6',
  tripleDes: '1.2.840.113549.1.12.1.3',
  keyBag: '1.2.840.113549.1.12.10.1.2',
  certificateBag: '1.2.840.113549.1.12.10.1.3',
  x509: '1.2.840.113549.1.9.22.1',
  friendlyName: '1.2.840.113549.1.9.20',
  localKeyId: '1.2.840.113549.1.9.21',
  sha1: '1.3.14.3.2.26',
  sha256: '2.16.840.1.101.3.4.2.1',
} as const;

/** What only node-forge still has; bytes are binary strings there. */
interface Forge {
  util: { createBuffer(bytes: string): { getBytes(): string } };
  rc2: {
    createEncryptionCipher(
      key: string,
      bits: number,
    ): { start(iv: string): void; update(input: unknown): void; finish(): boolean; output: { getBytes(): string } };
  };
  md: Record<'sha1' | 'sha256', { create(): unknown }>;
  pkcs12: {
    generateKey(password: string, salt: unknown, purpose: number, rounds: number, length: number, hash: unknown): { getBytes(): string };
  };
}
const loadForge = (): Forge => createRequire(import.meta.url)('node-forge') as Forge;
const binary = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');

/** PKCS #12's own derivation (RFC 7292 §B.2); purpose: 1 key, 2 vector, 3 MAC. */
function derived(password: string, salt: Uint8Array, purpose: 1 | 2 | 3, length: number, hash: 'sha1' | 'sha256'): Buffer {
  const { pkcs12, util, md } = loadForge();
  const key = pkcs12.generateKey(password, util.createBuffer(binary(salt)), purpose, iterations, length, md[hash].create());
  return Buffer.from(key.getBytes(), 'latin1');
}

/** A .p12 (RFC 7292). */
export function writeCertificateFile(content: CertificateFileContent, password: string, kind: CertificateFileKind): Uint8Array {
  const localKeyId = attribute(ids.localKeyId, octets(Uint8Array.of(1)));
  const name = attribute(ids.friendlyName, new asn1.BmpString({ value: content.name }));
  const [own, ...issuers] = [content.certificate, ...content.chain].map((der) =>
    tagged(0, sequence(oid(ids.x509), tagged(0, octets(der)))),
  );
  if (own === undefined) throw new Error('no certificate');
  const certificates = sequence(
    sequence(oid(ids.certificateBag), own, set(localKeyId, name)),
    ...issuers.map((one) => sequence(oid(ids.certificateBag), one)),
  );
  const [certificateScheme, encryptedCertificates] = encrypt(kind === 'legacy' ? 'rc2' : 'aes', encode(certificates), password);
  const [keyScheme, encryptedKey] = encrypt(
    kind === 'legacy' ? 'tripleDes' : 'aes',
    content.key.export({ format: 'der', type: 'pkcs8' }),
    password,
  );
  const keys = sequence(sequence(oid(ids.keyBag), tagged(0, sequence(keyScheme, octets(encryptedKey))), set(localKeyId, name)));
  const hidden = sequence(oid(ids.data), certificateScheme, primitive(0, encryptedCertificates));
  const safes = encode(
    sequence(
      sequence(oid(ids.encryptedData), tagged(0, sequence(integer(0), hidden))),
      sequence(oid(ids.data), tagged(0, octets(encode(keys)))),
    ),
  );
  const [hash, hashId, length] = kind === 'legacy' ? (['sha1', ids.sha1, 20] as const) : (['sha256', ids.sha256, 32] as const);
  const salt = randomBytes(16);
  const mac = createHmac(hash, derived(password, salt, 3, length, hash))
    .update(safes)
    .digest();
  const proof = sequence(sequence(sequence(oid(hashId), nothing()), octets(mac)), octets(salt), integer(iterations));
  return encode(sequence(integer(3), sequence(oid(ids.data), tagged(0, octets(safes))), proof));
}

function encrypt(cipher: 'aes' | 'rc2' | 'tripleDes', plain: Uint8Array, password: string): [asn1.BaseBlock, Uint8Array] {
  const salt = randomBytes(cipher === 'aes' ? 16 : 8);
  if (cipher === 'aes') {
    const iv = randomBytes(16);
    const aes = createCipheriv('aes-256-cbc', pbkdf2Sync(password, salt, iterations, 32, 'sha256'), iv);
    const derivation = sequence(oid(ids.pbkdf2), sequence(octets(salt), integer(iterations), sequence(oid(ids.hmacSha256), nothing())));
    const scheme = sequence(oid(ids.pbes2), sequence(derivation, sequence(oid(ids.aes256), octets(iv))));
    return [scheme, Buffer.concat([aes.update(plain), aes.final()])];
  }
  const scheme = sequence(oid(ids[cipher]), sequence(octets(salt), integer(iterations)));
  const iv = derived(password, salt, 2, 8, 'sha1');
  if (cipher === 'tripleDes') {
    const des = createCipheriv('des-ede3-cbc', derived(password, salt, 1, 24, 'sha1'), iv);
    return [scheme, Buffer.concat([des.update(plain), des.final()])];
  }
  const { rc2, util } = loadForge();
  const engine = rc2.createEncryptionCipher(binary(derived(password, salt, 1, 5, 'sha1')), 40);
  engine.start(binary(iv));
  engine.update(util.createBuffer(binary(plain)));
  engine.finish();
  return [scheme, Buffer.from(engine.output.getBytes(), 'latin1')];
}

const attribute = (type: string, value: asn1.BaseBlock) => sequence(oid(type), set(value));

/** [n] IMPLICIT OCTET STRING. */
function primitive(tagNumber: number, bytes: Uint8Array): asn1.BaseBlock {
  return new asn1.Primitive({ idBlock: { tagClass: 3, tagNumber }, valueHex: new Uint8Array(bytes).buffer });
}
