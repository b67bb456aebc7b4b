import type { DigestName } from '../crypto.ts';
import type { SignatureAlgorithm } from '../x509/algorithms.ts';
import { verifySigned } from '../x509/verify-signed.ts';
import { certificateParts } from '../x509/certificate-parts.ts';

export interface SignatureValueInput {
  /** DER; its key must have made the value. */
  readonly certificate: Uint8Array;
  readonly data: Uint8Array;
  readonly signatureValue: Uint8Array;
  /** Not looked at for Ed25519, which hashes inside (RFC 8032 §5.1). */
  readonly digest: DigestName;
}

/** True when the value is the certificate's signature over `data`. Never throws for a bad value. */
export async function verifySignatureValue(input: SignatureValueInput, verify = verifySigned): Promise<boolean> {
  const { publicKey, keyType } = certificateParts(input.certificate);
  const { digest, data, signatureValue: signature } = input;
  const algorithms: Record<typeof keyType, SignatureAlgorithm | null> = {
    rsa: { kind: 'rsa', hash: digest },
    ec: { kind: 'ecdsa', hash: digest },
    ed25519: { kind: 'ed25519', hash: null },
    other: null,
  };
  const algorithm = algorithms[keyType];
  return algorithm !== null && (await verify({ publicKey, algorithm, hash: digest, data, signature })) === true;
}
