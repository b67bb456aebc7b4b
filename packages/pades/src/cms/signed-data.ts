// PROVISIONAL: stands in until the CMS half of the package lands.
import type { DigestName } from "../crypto.ts";
import { certificateParts, oid, tlv } from "./provisional-der.ts";

const digests: Record<DigestName, string> = {
  sha256: "2.16.840.1.101.3.4.2.1",
  sha384: "2.16.840.1.101.3.4.2.2",
  sha512: "2.16.840.1.101.3.4.2.3",
};
const rsa: Record<DigestName, string> = {
  sha256: "1.2.840.113549.1.1.11",
  sha384: "1.2.840.113549.1.1.12",
  sha512: "1.2.840.113549.1.1.13",
};
const ecdsa: Record<DigestName, string> = {
  sha256: "1.2.840.10045.4.3.2",
  sha384: "1.2.840.10045.4.3.3",
  sha512: "1.2.840.10045.4.3.4",
};

export function buildSignedData(input: {
  signedAttributes: Uint8Array;
  signatureValue: Uint8Array;
  certificate: Uint8Array;
  chain: Uint8Array[];
  digest: DigestName;
  signatureTimestamp?: Uint8Array;
}): Uint8Array {
  const { issuer, serial, ec } = certificateParts(input.certificate);
  const digestAlgorithm = tlv(0x30, oid(digests[input.digest]));
  const signed = input.signedAttributes.slice();
  signed[0] = 0xa0;
  const algorithm = ec
    ? tlv(0x30, oid(ecdsa[input.digest]))
    : tlv(0x30, oid(rsa[input.digest]), tlv(5));
  const unsigned = input.signatureTimestamp
    ? [tlv(0xa1, tlv(0x30, oid("1.2.840.113549.1.9.16.2.14"), tlv(0x31, input.signatureTimestamp)))]
    : [];
  const one = tlv(2, Uint8Array.of(1));
  const signerInfo = tlv(
    0x30,
    one,
    tlv(0x30, issuer, serial),
    digestAlgorithm,
    signed,
    algorithm,
    tlv(4, input.signatureValue),
    ...unsigned,
  );
  const signedData = tlv(
    0x30,
    one,
    tlv(0x31, digestAlgorithm),
    tlv(0x30, oid("1.2.840.113549.1.7.1")),
    tlv(0xa0, input.certificate, ...input.chain),
    tlv(0x31, signerInfo),
  );
  return tlv(0x30, oid("1.2.840.113549.1.7.2"), tlv(0xa0, signedData));
}

interface NodeCrypto {
  X509Certificate: new (der: Uint8Array) => { publicKey: unknown };
  verify(digest: string, data: Uint8Array, key: unknown, signature: Uint8Array): boolean;
}

export function verifySignatureValue(input: {
  certificate: Uint8Array;
  data: Uint8Array;
  signatureValue: Uint8Array;
  digest: DigestName;
}): Promise<boolean> {
  const node = process.getBuiltinModule("node:crypto") as unknown as NodeCrypto;
  const key = new node.X509Certificate(input.certificate).publicKey;
  return Promise.resolve(node.verify(input.digest, input.data, key, input.signatureValue));
}
