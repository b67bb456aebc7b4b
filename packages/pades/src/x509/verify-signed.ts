import { child, contentOf, encoded, readDer } from '../asn1/der.ts';
import type { HashName } from '../crypto.ts';
import type { SignatureAlgorithm } from './algorithms.ts';
import { dotted } from '../asn1/values.ts';
import { hexText } from '../pdf/hex.ts';
import { Recent } from './recent.ts';

export interface SignedValue {
  /** SubjectPublicKeyInfo. */
  readonly publicKey: Uint8Array;
  readonly algorithm: SignatureAlgorithm;
  /** The digest in force; not used by EdDSA. */
  readonly hash: HashName;
  readonly data: Uint8Array;
  readonly signature: Uint8Array;
}

interface NodeCrypto {
  createPublicKey(key: { key: Uint8Array; format: 'der'; type: 'spki' }): { asymmetricKeyType?: string };
  verify(hash: string | null, data: Uint8Array, key: unknown, signature: Uint8Array): boolean;
  createHash(name: 'sha256'): { update(data: Uint8Array | string): unknown; digest(encoding: 'base64'): string };
  constants: { RSA_PKCS1_PSS_PADDING: number };
}

const keyTypes: Record<SignatureAlgorithm['kind'], readonly string[]> = {
  rsa: ['rsa'],
  'rsa-pss': ['rsa', 'rsa-pss'],
  ecdsa: ['ec'],
  'plain-ecdsa': ['ec'],
  ed25519: ['ed25519'],
  ed448: ['ed448'],
};

/** 'unsupported': this platform cannot tell, so that nobody calls a signature wrong that was merely not checked. */
export type Verification = boolean | 'unsupported';

/** True when the value is a signature over `data`. A bad value or a key of another kind is false, never an error. */
export async function verifySigned(input: SignedValue): Promise<Verification> {
  // Anybody makes a value that holds under e = 1, and none that is even belongs to a key.
  const exponent = rsaExponent(input.publicKey);
  if (exponent !== null && (exponent < 3n || exponent % 2n === 0n)) return false;
  const host = globalThis as { process?: { getBuiltinModule?: (id: string) => unknown } };
  const node = host.process?.getBuiltinModule?.('node:crypto') as NodeCrypto | undefined;
  return node === undefined ? onWeb(input) : onNode(node, input);
}

/** Signatures that held, by all that they depend on. The same certificates and lists are looked at again for every file. */
const held = new Set<string>();
const MOST_HELD = 1000;

function onNode(node: NodeCrypto, input: SignedValue): Verification {
  const name = nameOf(node, input);
  if (held.has(name)) return true;
  const verified = verifyAnew(node, input);
  if (verified !== true) return verified;
  if (held.size >= MOST_HELD) held.clear();
  held.add(name);
  return true;
}

/** Two questions have the same name only if they are the same: each part is told with its length. */
function nameOf(node: NodeCrypto, { algorithm, hash, publicKey, signature, data }: SignedValue): string {
  const digest = node.createHash('sha256');
  const said = JSON.stringify([algorithm, hash, publicKey.length, signature.length, data.length]);
  for (const part of [`${said.length}:${said}`, publicKey, signature, data]) digest.update(part);
  return digest.digest('base64');
}

type PublicKey = ReturnType<NodeCrypto['createPublicKey']>;

/** Authorities', for the most part. */
const keys = new Recent<PublicKey>(100, 1024);

function verifyAnew(node: NodeCrypto, input: SignedValue): Verification {
  let key: PublicKey;
  try {
    key = keys.get(input.publicKey, (bytes) => node.createPublicKey({ key: bytes, format: 'der', type: 'spki' }));
  } catch {
    return 'unsupported';
  }
  if (!keyTypes[input.algorithm.kind].includes(key.asymmetricKeyType ?? '')) return false;
  try {
    return verifyWith(node, key, input);
  } catch {
    return false;
  }
}

function verifyWith(node: NodeCrypto, key: unknown, { algorithm, hash, data, signature }: SignedValue): boolean {
  const { kind } = algorithm;
  if (kind === 'ed25519' || kind === 'ed448') return node.verify(null, data, key, signature);
  // PKCS #1 v1.5 is what Node does with a key of kind `rsa`, and DER with one of kind `ec`: neither is said, as Node tells what holds a key
  // from a key by an error that it throws and catches, each time.
  const how = {
    rsa: key,
    'rsa-pss': { key, padding: node.constants.RSA_PKCS1_PSS_PADDING, saltLength: algorithm.saltLength },
    ecdsa: key,
    'plain-ecdsa': { key, dsaEncoding: 'ieee-p1363' },
  }[kind];
  return node.verify(hash, data, how, signature);
}

const curves: Record<string, { name: string; size: number }> = {
  '1.2.840.10045.3.1.7': { name: 'P-256', size: 32 },
  '1.3.132.0.34': { name: 'P-384', size: 48 },
  '1.3.132.0.35': { name: 'P-521', size: 66 },
};

/** For hosts without node:crypto: browsers. Exported for its tests. */
export async function onWeb(input: SignedValue): Promise<Verification> {
  try {
    return await verifyOnWeb(input);
  } catch (error) {
    return error instanceof Error && error.name === 'NotSupportedError' ? 'unsupported' : false;
  }
}

async function verifyOnWeb({ publicKey, algorithm, hash, data, signature }: SignedValue): Promise<Verification> {
  const { subtle } = globalThis.crypto;
  if (algorithm.kind === 'ed448' || hash === 'shake256' || hash === 'sha224') return 'unsupported';
  const buffer = (bytes: Uint8Array) => new Uint8Array(bytes);
  const check = async (
    parameters: Parameters<typeof subtle.importKey>[2],
    how: Parameters<typeof subtle.verify>[0],
    value = signature,
  ): Promise<boolean> => {
    const key = await subtle.importKey('spki', buffer(publicKey), parameters, false, ['verify']);
    return subtle.verify(how, key, buffer(value), buffer(data));
  };
  const webHash = hash.replace('sha', 'SHA-');
  if (algorithm.kind === 'rsa') return check({ name: 'RSASSA-PKCS1-v1_5', hash: webHash }, 'RSASSA-PKCS1-v1_5');
  if (algorithm.kind === 'rsa-pss') {
    return check({ name: 'RSA-PSS', hash: webHash }, { name: 'RSA-PSS', saltLength: algorithm.saltLength ?? 20 });
  }
  if (algorithm.kind === 'ed25519') return check({ name: 'Ed25519' }, 'Ed25519');
  const curve = curves[dotted(child(child(readDer(publicKey), 0, 0x30), 1))];
  if (curve === undefined) return 'unsupported';
  const raw = algorithm.kind === 'plain-ecdsa' ? signature : rawEcdsa(signature, curve.size);
  return raw !== null && check({ name: 'ECDSA', namedCurve: curve.name }, { name: 'ECDSA', hash: webHash }, raw);
}

/** ECDSA-Sig-Value (DER) as r‖s, which Web Crypto takes. */
function rawEcdsa(der: Uint8Array, size: number): Uint8Array | null {
  const raw = new Uint8Array(size * 2);
  for (const index of [0, 1]) {
    const integer = contentOf(child(readDer(encoded(readDer(der))), index, 0x02));
    const start = integer.findIndex((byte) => byte !== 0);
    const trimmed = integer.subarray(Math.max(0, start));
    if (trimmed.length > size) return null;
    raw.set(trimmed, size * (index + 1) - trimmed.length);
  }
  return raw;
}

/** rsaEncryption or RSASSA-PSS. False for what cannot be read. */
export function isRsaKey(publicKey: Uint8Array): boolean {
  try {
    return ['1.2.840.113549.1.1.1', '1.2.840.113549.1.1.10'].includes(dotted(child(child(readDer(publicKey), 0, 0x30), 0)));
  } catch {
    return false;
  }
}

/** The public exponent of an RSA key; null for other keys and for what cannot be read. */
export function rsaExponent(publicKey: Uint8Array): bigint | null {
  if (!isRsaKey(publicKey)) return null;
  try {
    const key = readDer(contentOf(child(readDer(publicKey), 1, 0x03)).subarray(1));
    return BigInt(`0x${hexText(contentOf(child(key, 1, 0x02)))}`);
  } catch {
    return null;
  }
}

/** Named curves of TS 119 312 §6: those of FIPS 186, Brainpool's, and the French one. */
const knownCurves = new Set([
  ...Object.keys(curves),
  '1.3.36.3.3.2.8.1.1.7',
  '1.3.36.3.3.2.8.1.1.11',
  '1.3.36.3.3.2.8.1.1.13',
  '1.2.250.1.223.101.256.1',
]);

/** The curve of an elliptic key is one that documents are signed with; true for keys of other kinds. */
export function isKnownCurve(publicKey: Uint8Array): boolean {
  try {
    const algorithm = child(readDer(publicKey), 0, 0x30);
    return dotted(child(algorithm, 0)) !== '1.2.840.10045.2.1' || knownCurves.has(dotted(child(algorithm, 1)));
  } catch {
    return false;
  }
}

/** Bits of an RSA modulus, or the curve's size; 0 when it cannot be told. */
export function keyBits(publicKey: Uint8Array): number {
  try {
    const node = readDer(publicKey);
    const algorithm = child(node, 0, 0x30);
    const id = dotted(child(algorithm, 0));
    if (id === '1.3.101.112') return 256;
    if (id === '1.3.101.113') return 456;
    if (id === '1.2.840.10045.2.1') return pointBits(contentOf(child(node, 1, 0x03)).subarray(1));
    const key = readDer(contentOf(child(node, 1, 0x03)).subarray(1));
    const modulus = hexText(contentOf(child(key, 0, 0x02))).replace(/^0+/, '');
    return modulus.length * 4 - Math.clz32(Number.parseInt(modulus[0] ?? '0', 16)) + 28;
  } catch {
    return 0;
  }
}

/** The field's size, of whatever curve, as the point spells it: 0x04 and both coordinates, or one of them (SEC 1 §2.3.3). */
function pointBits(point: Uint8Array): number {
  const coordinates = point[0] === 0x04 ? 2 : 1;
  return Math.floor((point.length - 1) / coordinates) * 8;
}
