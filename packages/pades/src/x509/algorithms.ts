import { child, children, contentOf, readDer } from '../asn1/der.ts';
import type { DerNode } from '../asn1/der.ts';
import type { HashName } from '../crypto.ts';
import { dotted } from '../asn1/values.ts';

export interface SignatureAlgorithm {
  readonly kind: 'rsa' | 'rsa-pss' | 'ecdsa' | 'plain-ecdsa' | 'ed25519' | 'ed448';
  /** Null where the identifier leaves it to digestAlgorithm (rsaEncryption, id-ecPublicKey) or has none (EdDSA). */
  readonly hash: HashName | null;
  readonly saltLength?: number;
}

const hashes: Record<string, HashName> = {
  '1.3.14.3.2.26': 'sha1',
  '2.16.840.1.101.3.4.2.4': 'sha224',
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
  '2.16.840.1.101.3.4.2.12': 'shake256',
};

const signatures: Record<string, SignatureAlgorithm> = {
  '1.2.840.113549.1.1.1': { kind: 'rsa', hash: null },
  '1.2.840.113549.1.1.5': { kind: 'rsa', hash: 'sha1' },
  '1.3.14.3.2.29': { kind: 'rsa', hash: 'sha1' },
  '1.2.840.113549.1.1.14': { kind: 'rsa', hash: 'sha224' },
  '1.2.840.113549.1.1.11': { kind: 'rsa', hash: 'sha256' },
  '1.2.840.113549.1.1.12': { kind: 'rsa', hash: 'sha384' },
  '1.2.840.113549.1.1.13': { kind: 'rsa', hash: 'sha512' },
  '1.2.840.10045.2.1': { kind: 'ecdsa', hash: null },
  '1.2.840.10045.4.1': { kind: 'ecdsa', hash: 'sha1' },
  '1.2.840.10045.4.3.1': { kind: 'ecdsa', hash: 'sha224' },
  '1.2.840.10045.4.3.2': { kind: 'ecdsa', hash: 'sha256' },
  '1.2.840.10045.4.3.3': { kind: 'ecdsa', hash: 'sha384' },
  '1.2.840.10045.4.3.4': { kind: 'ecdsa', hash: 'sha512' },
  '0.4.0.127.0.7.1.1.4.1.1': { kind: 'plain-ecdsa', hash: 'sha1' },
  '0.4.0.127.0.7.1.1.4.1.3': { kind: 'plain-ecdsa', hash: 'sha256' },
  '0.4.0.127.0.7.1.1.4.1.4': { kind: 'plain-ecdsa', hash: 'sha384' },
  '0.4.0.127.0.7.1.1.4.1.5': { kind: 'plain-ecdsa', hash: 'sha512' },
  '1.3.101.112': { kind: 'ed25519', hash: null },
  '1.3.101.113': { kind: 'ed448', hash: null },
};

/** Null for a digest that is not read (also for a signature's identifier in a digest's place). */
export function hashNamed(algorithm: DerNode | undefined): HashName | null {
  if (algorithm === undefined) return null;
  return hashes[dotted(children(algorithm)[0])] ?? null;
}

/** Reads an AlgorithmIdentifier; null when it is not a signature that is verified here. */
export function signatureAlgorithm(der: Uint8Array): SignatureAlgorithm | null {
  const node = readDer(der);
  const id = dotted(child(node, 0));
  return id === '1.2.840.113549.1.1.10' ? pss(children(node)[1]) : (signatures[id] ?? null);
}

/** What is signed with SHA-1 after this is no one's practice but an attacker's. */
export const sha1Ended = new Date('2017-01-01T00:00:00Z');

/** True for a signature's AlgorithmIdentifier over a SHA-1 digest. */
export function isSha1(der: Uint8Array): boolean {
  return signatureAlgorithm(der)?.hash === 'sha1';
}

/** RFC 8017 §A.2.3: defaults are SHA-1 and 20; MGF1 must use the same digest. */
function pss(parameters: DerNode | undefined): SignatureAlgorithm | null {
  const parts = parameters?.tag === 0x30 ? children(parameters) : [];
  const part = (tag: number) => parts.find((one) => one.tag === tag);
  const [digest, mask, salt] = [part(0xa0), part(0xa1), part(0xa2)];
  const hash = digest ? hashNamed(child(digest, 0)) : 'sha1';
  const maskHash = mask ? hashNamed(child(child(mask, 0), 1)) : 'sha1';
  if (hash === null || hash !== maskHash) return null;
  const saltLength = salt ? contentOf(child(salt, 0)).reduce((sum, byte) => sum * 256 + byte, 0) : 20;
  return { kind: 'rsa-pss', hash, saltLength };
}
