import { sequence, tlv } from '../asn1/der.ts';
import type { CurveName } from '../cms/signing-key.ts';
import type { DigestName } from '../crypto.ts';
import { PadesError } from '../errors.ts';
import { dotted, item, items, parse } from './asn1.ts';

const curves: Readonly<Record<string, CurveName>> = {
  '1.2.840.10045.3.1.7': 'P-256',
  '1.3.132.0.34': 'P-384',
  '1.3.132.0.35': 'P-521',
};

type WebKey = Awaited<ReturnType<typeof globalThis.crypto.subtle.importKey>>;
type KeyAlgorithm = { kind: 'rsa' } | { kind: 'ec'; curve: CurveName } | { kind: 'ed25519' };

function algorithmOf(pkcs8: Uint8Array): KeyAlgorithm {
  const algorithm = item(parse(pkcs8), 1);
  const id = dotted(item(algorithm, 0));
  if (id === '1.2.840.113549.1.1.1') return { kind: 'rsa' };
  if (id === '1.3.101.112') return { kind: 'ed25519' };
  const curve = id === '1.2.840.10045.2.1' ? curves[dotted(items(algorithm)[1])] : undefined;
  if (curve === undefined) throw new PadesError('P12_UNSUPPORTED', `a key of kind ${id}`, { algorithm: id });
  return { kind: 'ec', curve };
}

/** A private key in Web Crypto, not to be taken out again. Ready for every digest. */
export interface PrivateKey {
  /** PKCS #1 v1.5, ECDSA as DER, or Ed25519, over `data`. */
  sign(data: Uint8Array, digest: DigestName): Promise<Uint8Array>;
}

/** Throws P12_UNSUPPORTED for kinds of key this package does not sign with, P12_DAMAGED. */
export async function importPrivateKey(pkcs8: Uint8Array): Promise<PrivateKey> {
  const algorithm = algorithmOf(pkcs8);
  const { subtle } = globalThis.crypto;
  const bytes = new Uint8Array(pkcs8);
  const load = (parameters: { name: string; hash?: string; namedCurve?: string }): Promise<WebKey> =>
    subtle.importKey('pkcs8', bytes, parameters, false, ['sign']).catch((error: unknown) => {
      throw new PadesError('P12_DAMAGED', 'the private key cannot be read', {}, error);
    });
  if (algorithm.kind === 'rsa') {
    // Web Crypto binds an RSA key to one hash.
    const names = { sha256: 'SHA-256', sha384: 'SHA-384', sha512: 'SHA-512' } as const;
    const name = 'RSASSA-PKCS1-v1_5';
    const keys = {
      sha256: await load({ name, hash: names.sha256 }),
      sha384: await load({ name, hash: names.sha384 }),
      sha512: await load({ name, hash: names.sha512 }),
    };
    return { sign: async (data, digest) => new Uint8Array(await subtle.sign(name, keys[digest], new Uint8Array(data))) };
  }
  if (algorithm.kind === 'ed25519') {
    const key = await load({ name: 'Ed25519' });
    return { sign: async (data) => new Uint8Array(await subtle.sign('Ed25519', key, new Uint8Array(data))) };
  }
  const key = await load({ name: 'ECDSA', namedCurve: algorithm.curve });
  return {
    sign: async (data, digest) => {
      const hash = digest.replace('sha', 'SHA-');
      return ecdsaDer(new Uint8Array(await subtle.sign({ name: 'ECDSA', hash }, key, new Uint8Array(data))));
    },
  };
}

/** r‖s, as Web Crypto and tokens give it, as the ECDSA-Sig-Value that CMS carries (RFC 5753 §7.2). */
export function ecdsaDer(raw: Uint8Array): Uint8Array {
  const half = raw.length / 2;
  return sequence(derInteger(raw.subarray(0, half)), derInteger(raw.subarray(half)));
}

function derInteger(bytes: Uint8Array): Uint8Array {
  let start = 0;
  while (start < bytes.length - 1 && bytes[start] === 0) start++;
  const trimmed = bytes.subarray(start);
  return tlv(0x02, (trimmed[0] ?? 0) > 127 ? Uint8Array.of(0, ...trimmed) : trimmed);
}
