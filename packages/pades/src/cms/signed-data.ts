import type { DigestName } from '../crypto.ts';
import { PadesError } from '../errors.ts';
import { certificateParts } from '../x509/certificate-parts.ts';
import { derNull, octetString, oid, sequence, setOf, smallInteger, tlv } from '../asn1/der.ts';
import { digestOids, ecdsaOids, oids, rsaOids } from '../asn1/oids.ts';

export { verifySignatureValue } from './verify-value.ts';

export interface SignedDataInput {
  /** As `buildSignedAttributes` gave them. */
  readonly signedAttributes: Uint8Array;
  readonly signatureValue: Uint8Array;
  readonly certificate: Uint8Array;
  readonly chain: readonly Uint8Array[];
  readonly digest: DigestName;
  /** TimeStampToken over the signature value. */
  readonly signatureTimestamp?: Uint8Array;
}

/** The CMS of a PAdES signature: detached, one SignerInfo, DER throughout (EN 319 142-1 §6.2.1). */
export function buildSignedData(input: SignedDataInput): Uint8Array {
  const { issuer, serial, keyType } = certificateParts(input.certificate);
  const digestAlgorithm = sequence(oid(digestOids[input.digest]));
  const attributes = input.signedAttributes.slice();
  // [0] IMPLICIT in the SignerInfo, SET OF where it is signed (RFC 5652 §5.4).
  attributes[0] = 0xa0;
  const signerInfo = sequence(
    smallInteger(1),
    sequence(issuer, serial),
    digestAlgorithm,
    attributes,
    signatureAlgorithm(keyType, input.digest),
    octetString(input.signatureValue),
    ...(input.signatureTimestamp ? [unsignedAttributes(input.signatureTimestamp)] : []),
  );
  const signedData = sequence(
    smallInteger(1),
    setOf([digestAlgorithm]),
    sequence(oid(oids.data)),
    setOf([input.certificate, ...input.chain], 0xa0),
    setOf([signerInfo]),
  );
  return sequence(oid(oids.signedData), tlv(0xa0, signedData));
}

/** The combined identifiers, RSA with its NULL: what ICP-Brasil's policies list. Ed25519: RFC 8419 §2.2, nothing beside the identifier. */
function signatureAlgorithm(keyType: string, digest: DigestName): Uint8Array {
  if (keyType === 'rsa') return sequence(oid(rsaOids[digest]), derNull);
  if (keyType === 'ec') return sequence(oid(ecdsaOids[digest]));
  if (keyType === 'ed25519' && digest === 'sha512') return sequence(oid(oids.ed25519));
  throw new PadesError('UNSUPPORTED_ALGORITHM', 'neither RSA, ECDSA nor Ed25519 with SHA-512');
}

function unsignedAttributes(token: Uint8Array): Uint8Array {
  return setOf([sequence(oid(oids.signatureTimestamp), setOf([token]))], 0xa1);
}
