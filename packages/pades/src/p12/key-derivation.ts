import { PadesError } from '../errors.ts';
import { count, dotted, item, items, octets } from './asn1.ts';
import type { Node } from './asn1.ts';

export type HashName = 'SHA-1' | 'SHA-256' | 'SHA-384' | 'SHA-512';

/** Hashes of MACs and key derivation. SHA-1 is only ever read, in files made by others. */
export const hashNames: Readonly<Record<string, HashName>> = {
  '1.3.14.3.2.26': 'SHA-1',
  '2.16.840.1.101.3.4.2.1': 'SHA-256',
  '2.16.840.1.101.3.4.2.2': 'SHA-384',
  '2.16.840.1.101.3.4.2.3': 'SHA-512',
};

/** hmacWith… (RFC 8018 §B.1). */
export const hmacNames: Readonly<Record<string, HashName>> = {
  '1.2.840.113549.2.7': 'SHA-1',
  '1.2.840.113549.2.9': 'SHA-256',
  '1.2.840.113549.2.10': 'SHA-384',
  '1.2.840.113549.2.11': 'SHA-512',
};

/** Beyond these a file only burns time: seconds of PBKDF2, half a minute of the older derivation. */
const maxIterations = { pbkdf2: 10_000_000, pkcs12: 1_000_000 };

export function unsupported(algorithm: string): PadesError {
  return new PadesError('P12_UNSUPPORTED', algorithm, { algorithm });
}

function bounded(iterations: number, bound: number): number {
  if (iterations > bound) throw new PadesError('P12_UNSUPPORTED', 'too many iterations', { iterations, bound });
  return Math.max(1, iterations);
}

/** A password in the two forms certificate files use. */
export interface Password {
  /** UTF-8, for PBKDF2. */
  readonly utf8: Uint8Array<ArrayBuffer>;
  /** UTF-16 big-endian with two zero bytes at the end, for PKCS #12's own derivation (RFC 7292 §B.1). */
  readonly bmp: Uint8Array<ArrayBuffer>;
}

/** The forms a password may take in a file: an empty one is written in two ways. */
export function passwordForms(password: string): Password[] {
  const utf8 = new TextEncoder().encode(password);
  const bmp = new Uint8Array(password.length * 2 + 2);
  for (let i = 0; i < password.length; i++) {
    bmp[i * 2] = password.charCodeAt(i) >> 8;
    bmp[i * 2 + 1] = password.charCodeAt(i) & 255;
  }
  const form = { utf8, bmp };
  return password === '' ? [form, { utf8, bmp: new Uint8Array(0) }] : [form];
}

/** PBKDF2 with the parameters of an AlgorithmIdentifier (RFC 8018 §A.2). `keyLength` in bytes when the file leaves it out. */
export async function pbkdf2(algorithm: Node, password: Password, keyLength?: number): Promise<Uint8Array<ArrayBuffer>> {
  const id = dotted(item(algorithm, 0));
  if (id !== '1.2.840.113549.1.5.12') throw unsupported(id);
  const [salt, iterations, ...rest] = items(item(algorithm, 1));
  const prf = rest.find((node) => node.idBlock.tagNumber === 16);
  const stated = rest.find((node) => node.idBlock.tagNumber === 2);
  const hash = prf === undefined ? 'SHA-1' : hmacNames[dotted(item(prf, 0))];
  if (hash === undefined) throw unsupported(dotted(item(prf, 0)));
  const length = keyLength ?? (stated === undefined ? 0 : count(stated));
  if (length < 1 || length > 128) throw unsupported(id);
  const rounds = bounded(count(iterations), maxIterations.pbkdf2);
  const { subtle } = globalThis.crypto;
  const key = await subtle.importKey('raw', password.utf8, 'PBKDF2', false, ['deriveBits']);
  return new Uint8Array(await subtle.deriveBits({ name: 'PBKDF2', hash, salt: octets(salt), iterations: rounds }, key, length * 8));
}

/** What is derived: key material, an initial vector, a MAC key (RFC 7292 §B.3). */
export const purposes = { key: 1, vector: 2, mac: 3 } as const;

export interface Derivation {
  readonly hash: HashName;
  readonly salt: Uint8Array;
  readonly iterations: number;
  readonly purpose: (typeof purposes)[keyof typeof purposes];
  /** Bytes wanted. */
  readonly length: number;
}

/** PKCS #12's own derivation (RFC 7292 §B.2). */
export async function pkcs12Key(password: Password, how: Derivation): Promise<Uint8Array<ArrayBuffer>> {
  const rounds = bounded(how.iterations, maxIterations.pkcs12);
  const block = how.hash === 'SHA-1' || how.hash === 'SHA-256' ? 64 : 128;
  const salt = repeated(how.salt, block);
  const input = new Uint8Array(block + salt.length + Math.ceil(password.bmp.length / block) * block);
  input.fill(how.purpose, 0, block);
  input.set(salt, block);
  input.set(repeated(password.bmp, block), block + salt.length);
  const result = new Uint8Array(how.length);
  for (let done = 0; done < how.length;) {
    const part = await iterate(how.hash, input, rounds);
    result.set(part.subarray(0, how.length - done), done);
    done += part.length;
    for (let at = block; at < input.length; at += block) addBlock(input, at, part, block);
  }
  return result;
}

function repeated(bytes: Uint8Array, block: number): Uint8Array {
  const length = bytes.length === 0 ? 0 : Math.ceil(bytes.length / block) * block;
  return Uint8Array.from({ length }, (_, i) => bytes[i % bytes.length] ?? 0);
}

/** I := (I + B + 1) mod 2^8v, where B is `part` repeated. */
function addBlock(input: Uint8Array, at: number, part: Uint8Array, block: number): void {
  let carry = 1;
  for (let i = block - 1; i >= 0; i--) {
    const sum = (input[at + i] ?? 0) + (part[i % part.length] ?? 0) + carry;
    input[at + i] = sum & 255;
    carry = sum >> 8;
  }
}

interface NodeCrypto {
  createHash(name: string): { update(bytes: Uint8Array): { digest(): Uint8Array } };
}

/** Node's hashes where there is Node: Web Crypto's cost a promise for each of many thousand rounds. */
async function iterate(hash: HashName, first: Uint8Array<ArrayBuffer>, rounds: number): Promise<Uint8Array> {
  const host = globalThis as { process?: { getBuiltinModule?: (id: string) => unknown } };
  const node = host.process?.getBuiltinModule?.('node:crypto') as NodeCrypto | undefined;
  let current: Uint8Array<ArrayBuffer> = first;
  for (let round = 0; round < rounds; round++) {
    current = node
      ? (node.createHash(hash).update(current).digest() as Uint8Array<ArrayBuffer>)
      : new Uint8Array(await globalThis.crypto.subtle.digest(hash, current));
  }
  return current;
}
