import type { DigestName } from '../crypto.ts';
import { PadesError } from '../errors.ts';
import { certificateParts } from './certificate-parts.ts';
import type { CertificateParts } from './certificate-parts.ts';
import { child, contentOf, encoded, readDer } from './der.ts';

interface NodeCrypto {
  createPublicKey(key: { key: Uint8Array; format: 'der'; type: 'spki' }): unknown;
  verify(digest: string | null, data: Uint8Array, key: unknown, signature: Uint8Array): boolean;
  constants: { RSA_PKCS1_PSS_PADDING: number; RSA_PSS_SALTLEN_AUTO: number };
}

export interface SignatureValueInput {
  /** DER; its key must have made the value. */
  readonly certificate: Uint8Array;
  readonly data: Uint8Array;
  readonly signatureValue: Uint8Array;
  /** Not looked at for Ed25519, which hashes inside (RFC 8032 §5.1). */
  readonly digest: DigestName;
  /** RSASSA-PSS instead of PKCS #1 v1.5. */
  readonly pss?: boolean;
}

/** True when the value is the certificate's signature over `data`. Never throws for a bad value. */
export async function verifySignatureValue(input: SignatureValueInput): Promise<boolean> {
  const parts = certificateParts(input.certificate);
  const host = globalThis as { process?: { getBuiltinModule?: (id: string) => unknown } };
  const node = host.process?.getBuiltinModule?.('node:crypto') as NodeCrypto | undefined;
  return node === undefined ? verifyOnWeb(input, parts) : verifyOnNode(node, input, parts);
}

function verifyOnNode(node: NodeCrypto, input: SignatureValueInput, parts: CertificateParts): boolean {
  const { RSA_PKCS1_PSS_PADDING: padding, RSA_PSS_SALTLEN_AUTO: saltLength } = node.constants;
  try {
    const key = node.createPublicKey({ key: parts.publicKey, format: 'der', type: 'spki' });
    const how = input.pss ? { key, padding, saltLength } : key;
    return node.verify(parts.keyType === 'ed25519' ? null : input.digest, input.data, how, input.signatureValue);
  } catch {
    return false;
  }
}

const curves: Record<string, { name: string; size: number }> = {
  '2a8648ce3d030107': { name: 'P-256', size: 32 },
  '2b81040022': { name: 'P-384', size: 48 },
  '2b81040023': { name: 'P-521', size: 66 },
};

/** For hosts without node:crypto: browsers. */
export async function verifyOnWeb(input: SignatureValueInput, parts: CertificateParts): Promise<boolean> {
  const hash = input.digest.replace('sha', 'SHA-');
  const { subtle } = globalThis.crypto;
  const buffer = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(bytes);
  if (parts.keyType === 'rsa' && !input.pss) {
    const name = 'RSASSA-PKCS1-v1_5';
    const key = await subtle.importKey('spki', buffer(parts.publicKey), { name, hash }, false, ['verify']);
    return subtle.verify(name, key, buffer(input.signatureValue), buffer(input.data));
  }
  if (parts.keyType === 'ed25519') {
    const key = await subtle.importKey('spki', buffer(parts.publicKey), { name: 'Ed25519' }, false, ['verify']);
    return subtle.verify('Ed25519', key, buffer(input.signatureValue), buffer(input.data));
  }
  const curve = parts.keyType === 'ec' ? curveOf(parts.publicKey) : undefined;
  if (curve === undefined) throw new PadesError('UNSUPPORTED_ALGORITHM');
  const raw = rawEcdsa(input.signatureValue, curve.size);
  if (raw === null) return false;
  const parameters = { name: 'ECDSA', namedCurve: curve.name };
  const key = await subtle.importKey('spki', buffer(parts.publicKey), parameters, false, ['verify']);
  return subtle.verify({ name: 'ECDSA', hash }, key, buffer(raw), buffer(input.data));
}

function curveOf(publicKey: Uint8Array): { name: string; size: number } | undefined {
  const curve = contentOf(child(child(readDer(publicKey), 0, 0x30), 1));
  return curves[Array.from(curve, (byte) => byte.toString(16).padStart(2, '0')).join('')];
}

/** ECDSA-Sig-Value (DER) → r‖s, which Web Crypto takes; null when it is not one. */
function rawEcdsa(der: Uint8Array, size: number): Uint8Array | null {
  try {
    const raw = new Uint8Array(size * 2);
    [0, 1].forEach((index) => {
      const integer = contentOf(child(readDer(encoded(readDer(der))), index, 0x02));
      const trimmed = integer.subarray(integer.findIndex((byte) => byte !== 0));
      if (trimmed.length > size) throw new PadesError('SIGNATURE_MISMATCH');
      raw.set(trimmed, size * (index + 1) - trimmed.length);
    });
    return raw;
  } catch {
    return null;
  }
}
