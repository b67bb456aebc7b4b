import { PadesError } from '../errors.ts';
import { child, children, encoded, isOid, readDer } from '../asn1/der.ts';
import type { DerNode } from '../asn1/der.ts';
import { oids } from '../asn1/oids.ts';

/** What signing needs of a certificate (RFC 5280 §4.1), byte for byte as it stands there. */
export interface CertificateParts {
  readonly issuer: Uint8Array;
  readonly subject: Uint8Array;
  readonly serial: Uint8Array;
  /** SubjectPublicKeyInfo. */
  readonly publicKey: Uint8Array;
  readonly keyType: 'rsa' | 'ec' | 'ed25519' | 'other';
}

export function certificateParts(der: Uint8Array): CertificateParts {
  try {
    const tbs = child(readDer(der), 0, 0x30);
    const fields = children(tbs);
    const at = fields[0]?.tag === 0xa0 ? 1 : 0;
    const [serial, , issuer, , subject, publicKey] = fields.slice(at);
    if (!serial || !issuer || !subject || !publicKey) throw new PadesError('CERTIFICATE_INVALID');
    const algorithm = child(child(publicKey, 0, 0x30), 0);
    return {
      issuer: encoded(issuer),
      subject: encoded(subject),
      serial: encoded(serial),
      publicKey: encoded(publicKey),
      keyType: keyTypeOf(algorithm),
    };
  } catch (error) {
    throw new PadesError('CERTIFICATE_INVALID', 'cannot be read', {}, error);
  }
}

function keyTypeOf(algorithm: DerNode): CertificateParts['keyType'] {
  if (isOid(algorithm, oids.rsaPublicKey) || isOid(algorithm, oids.rsaPss)) return 'rsa';
  if (isOid(algorithm, oids.ecPublicKey)) return 'ec';
  return isOid(algorithm, oids.ed25519) ? 'ed25519' : 'other';
}
