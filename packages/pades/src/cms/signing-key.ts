import type { DigestName } from '../crypto.ts';
import { PadesError } from '../errors.ts';
import { certificateParts } from '../x509/certificate-parts.ts';
import { child, children, contentOf, isOid, readDer } from '../asn1/der.ts';
import { curveOids, oids } from '../asn1/oids.ts';
import type { SignaturePolicy } from './signed-attributes.ts';

/** The curves that are signed with (FIPS 186-5). */
export type CurveName = 'P-256' | 'P-384' | 'P-521';

/** A key this package signs with. `bits`: of the RSA modulus, of the curve's order. */
export type SigningKey =
  | { readonly kind: 'rsa'; readonly bits: number }
  | { readonly kind: 'ec'; readonly bits: number; readonly curve: CurveName }
  | { readonly kind: 'ed25519'; readonly bits: 256 };

/** Below this a key is not accepted (DOC-ICP-15.03 and TS 119 312 §6). */
const minRsaBits = 2048;
const minRsaExponent = 65_537;

/**
 * The certificate's key. Throws UNSUPPORTED_ALGORITHM for RSA below 2048 bits or with an exponent below 65537, a key restricted to RSASSA-PSS (no
 * ICP-Brasil policy lists PSS, so it is never written), and every curve but P-256, P-384, P-521 and Ed25519;
 * CERTIFICATE_INVALID for what cannot be read.
 */
export function signingKeyOf(certificate: Uint8Array): SigningKey {
  const { publicKey, keyType } = certificateParts(certificate);
  try {
    const [algorithm, bits] = children(readDer(publicKey));
    const [id, parameters] = algorithm ? children(algorithm) : [];
    if (keyType === 'ed25519') return { kind: 'ed25519', bits: 256 };
    if (keyType === 'rsa' && isOid(id, oids.rsaPublicKey) && bits) return rsaKey(contentOf(bits));
    const curve = (['P-256', 'P-384', 'P-521'] as const).find((name) => isOid(parameters, curveOids[name]));
    if (keyType === 'ec' && curve) return { kind: 'ec', bits: Number(curve.slice(2)), curve };
  } catch (error) {
    if (error instanceof PadesError && error.code === 'UNSUPPORTED_ALGORITHM') throw error;
    throw new PadesError('CERTIFICATE_INVALID', 'the public key cannot be read', {}, error);
  }
  throw new PadesError('UNSUPPORTED_ALGORITHM', 'a kind of key that is not signed with');
}

/** RSAPublicKey (RFC 8017 §A.1.1) after the BIT STRING's count of unused bits. */
function rsaKey(bitString: Uint8Array): SigningKey {
  const key = readDer(bitString.subarray(1));
  const modulus = contentOf(child(key, 0, 0x02));
  const first = modulus.findIndex((byte) => byte !== 0);
  const bits = (modulus.length - first) * 8 - Math.clz32(modulus[first] ?? 0) + 24;
  if (bits < minRsaBits) throw new PadesError('UNSUPPORTED_ALGORITHM', `RSA of ${bits} bits`, { bits });
  // What is below 2^16 + 1 has been the way into faulty readers of signatures (FIPS 186-5 §5.1).
  const exponent = contentOf(child(key, 1, 0x02)).reduce((value, byte) => value * 256 + byte, 0);
  if (exponent < minRsaExponent) throw new PadesError('UNSUPPORTED_ALGORITHM', `RSA with the exponent ${exponent}`, { exponent });
  return { kind: 'rsa', bits };
}

const strengths: Record<CurveName, DigestName> = { 'P-256': 'sha256', 'P-384': 'sha384', 'P-521': 'sha512' };

/**
 * The digest to sign with: the one asked for, else the one as strong as the key (RFC 5753 §7.1.3), else the next the
 * policy permits. Ed25519 is bound to SHA-512 (RFC 8419 §3.1). Throws UNSUPPORTED_ALGORITHM when the request does not
 * go with the key or the policy.
 */
export function digestFor(key: SigningKey, requested: DigestName | undefined, policy: SignaturePolicy | undefined): DigestName {
  const permits = (digest: DigestName): boolean => policy?.digests === undefined || policy.digests.includes(digest);
  const fitting = key.kind === 'ed25519' ? 'sha512' : key.kind === 'ec' ? strengths[key.curve] : 'sha256';
  const digest = requested ?? (permits(fitting) ? fitting : 'sha512');
  if (key.kind === 'ed25519' && digest !== 'sha512') throw new PadesError('UNSUPPORTED_ALGORITHM', 'Ed25519 goes with SHA-512 alone');
  if (!permits(digest)) throw new PadesError('UNSUPPORTED_ALGORITHM', `the policy does not permit ${digest}`);
  return digest;
}
