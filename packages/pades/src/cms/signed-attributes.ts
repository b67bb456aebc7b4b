import { digestOf, platformCrypto } from '../crypto.ts';
import type { DigestName } from '../crypto.ts';
import { certificateParts } from '../x509/certificate-parts.ts';
import { octetString, oid, sequence, setOf, tlv } from '../asn1/der.ts';
import { digestOids, oids } from '../asn1/oids.ts';

/** A signature policy as the signature refers to it (EN 319 122-1 §5.2.9). */
export interface SignaturePolicy {
  /** Dotted. */
  readonly oid: string;
  /** The policy's own signPolicyHash — for ICP-Brasil not the hash of the file. */
  readonly hash: Uint8Array;
  readonly digest: DigestName;
  /** Where the policy is published (SPuri). */
  readonly uri?: string;
  /** The digests the policy permits; left out: any. */
  readonly digests?: readonly DigestName[];
  /** The policy demands a signature timestamp. */
  readonly needsTimestamp?: boolean;
}

export interface SignedAttributesInput {
  readonly messageDigest: Uint8Array;
  readonly digest: DigestName;
  /** The signer's certificate, DER. */
  readonly certificate: Uint8Array;
  readonly policy?: SignaturePolicy;
}

/**
 * The signed attributes of PAdES B-B (EN 319 142-1 §6.3): content type, message digest, signing certificate v2 and,
 * when there is one, the policy. No signing time (M says it). DER with the tag of SET OF: exactly what is hashed and
 * signed (RFC 5652 §5.4).
 */
export async function buildSignedAttributes(input: SignedAttributesInput): Promise<Uint8Array> {
  const attributes = [
    attribute(oids.contentType, oid(oids.data)),
    attribute(oids.messageDigest, octetString(input.messageDigest)),
    attribute(oids.signingCertificateV2, await signingCertificate(input.certificate)),
  ];
  if (input.policy) attributes.push(attribute(oids.signaturePolicy, policyValue(input.policy)));
  return setOf(attributes);
}

function attribute(type: string, value: Uint8Array): Uint8Array {
  return sequence(oid(type), setOf([value]));
}

/** ESSCertIDv2 (RFC 5035 §4): hashAlgorithm is left out because SHA-256 is its default. */
async function signingCertificate(certificate: Uint8Array): Promise<Uint8Array> {
  const { issuer, serial } = certificateParts(certificate);
  const hash = await digestOf(platformCrypto, 'sha256', certificate);
  const issuerSerial = sequence(sequence(tlv(0xa4, issuer)), serial);
  return sequence(sequence(sequence(octetString(hash), issuerSerial)));
}

/** The hash's algorithm has no parameters: a NULL there makes verifiers fail (RFC 5754 §2). */
function policyValue(policy: SignaturePolicy): Uint8Array {
  const hash = sequence(sequence(oid(digestOids[policy.digest])), octetString(policy.hash));
  if (policy.uri === undefined) return sequence(oid(policy.oid), hash);
  const uri = tlv(0x16, new TextEncoder().encode(policy.uri));
  return sequence(oid(policy.oid), hash, sequence(sequence(oid(oids.policyUri), uri)));
}
