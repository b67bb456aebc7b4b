// PROVISIONAL: stands in until the CMS half of the package lands.
import { digestOf, platformCrypto } from "../crypto.ts";
import type { DigestName } from "../crypto.ts";
import { certificateParts, oid, tlv } from "./provisional-der.ts";

export interface SignaturePolicy {
  oid: string;
  hash: Uint8Array;
  digest: DigestName;
  uri?: string;
}

export interface SignedAttributesInput {
  messageDigest: Uint8Array;
  digest: DigestName;
  certificate: Uint8Array;
  policy?: SignaturePolicy;
}

export async function buildSignedAttributes(input: SignedAttributesInput): Promise<Uint8Array> {
  const { issuer, serial } = certificateParts(input.certificate);
  const certHash = await digestOf(platformCrypto, "sha256", input.certificate);
  const attribute = (id: string, value: Uint8Array): Uint8Array => tlv(0x30, oid(id), tlv(0x31, value));
  const ess = tlv(
    0x30,
    tlv(0x30, tlv(0x30, tlv(4, certHash), tlv(0x30, tlv(0x30, tlv(0xa4, issuer)), serial))),
  );
  const attributes = [
    attribute("1.2.840.113549.1.9.3", oid("1.2.840.113549.1.7.1")),
    attribute("1.2.840.113549.1.9.4", tlv(4, input.messageDigest)),
    attribute("1.2.840.113549.1.9.16.2.47", ess),
  ];
  const hex = (bytes: Uint8Array): string => Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join("");
  attributes.sort((a, b) => (hex(a) < hex(b) ? -1 : 1));
  return tlv(0x31, ...attributes);
}
