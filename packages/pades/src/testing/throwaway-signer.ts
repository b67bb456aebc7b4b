import { createHash, generateKeyPairSync, sign as nodeSign } from 'node:crypto';
import type { KeyPairKeyObjectResult } from 'node:crypto';
import type { Signer } from '../sign/sign-pdf.ts';

function tlv(tag: number, ...parts: Uint8Array[]): Uint8Array {
  const body = Buffer.concat(parts);
  const length = body.length < 128 ? [body.length] : body.length < 256 ? [0x81, body.length] : [0x82, body.length >> 8, body.length & 255];
  return Buffer.concat([Uint8Array.of(tag, ...length), body]);
}

const bytes = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, 'hex'));
const ecdsaWithSha256 = tlv(0x30, bytes('06082a8648ce3d040302'));
const rsaWithSha256 = tlv(0x30, bytes('06092a864886f70d01010b0500'));
const ed25519 = tlv(0x30, bytes('06032b6570'));

export type ThrowawayKind = 'p256' | 'p384' | 'p521' | 'rsa2048' | 'rsa3072' | 'rsa4096' | 'ed25519';
const curves: Partial<Record<ThrowawayKind, string>> = { p256: 'P-256', p384: 'P-384', p521: 'P-521' };

function keyPair(kind: ThrowawayKind): KeyPairKeyObjectResult {
  const namedCurve = curves[kind];
  if (namedCurve !== undefined) return generateKeyPairSync('ec', { namedCurve });
  if (kind === 'ed25519') return generateKeyPairSync('ed25519');
  return generateKeyPairSync('rsa', { modulusLength: Number(kind.slice(3)) });
}

/** A self-signed certificate and its key, made on the spot: for tests and timings, trusted by nobody. */
export function throwawaySigner(commonName: string, kind: ThrowawayKind = 'p256'): Signer {
  const { privateKey, publicKey } = keyPair(kind);
  const hashesInside = kind === 'ed25519';
  const algorithm = hashesInside ? ed25519 : kind.startsWith('rsa') ? rsaWithSha256 : ecdsaWithSha256;
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const name = tlv(0x30, tlv(0x31, tlv(0x30, bytes('0603550403'), tlv(0x0c, Buffer.from(commonName)))));
  const time = (year: number): Uint8Array => tlv(0x18, Buffer.from(`${year}0101000000Z`));
  const serial = createHash('sha256').update(spki).digest().subarray(0, 8);
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 1;
  const keyUsage = tlv(0x30, bytes('0603551d0f'), bytes('0101ff'), tlv(4, bytes('030206c0')));
  const tbs = tlv(
    0x30,
    bytes('a003020102'),
    tlv(2, serial),
    algorithm,
    name,
    tlv(0x30, time(2020), time(2049)),
    name,
    spki,
    tlv(0xa3, tlv(0x30, keyUsage)),
  );
  const signature = nodeSign(hashesInside ? null : 'sha256', tbs, privateKey);
  const certificate = tlv(0x30, tbs, algorithm, tlv(3, Uint8Array.of(0), signature));
  return {
    certificate: new Uint8Array(certificate),
    chain: [],
    sign: (data, digest) => Promise.resolve(new Uint8Array(nodeSign(hashesInside ? null : digest, data, privateKey))),
  };
}
