import type { DigestName } from '../crypto.ts';

/** Object identifiers of CMS (RFC 5652), ESS (RFC 5035), CAdES (EN 319 122-1) and RFC 3161. */
export const oids = {
  data: '1.2.840.113549.1.7.1',
  signedData: '1.2.840.113549.1.7.2',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingCertificateV2: '1.2.840.113549.1.9.16.2.47',
  signaturePolicy: '1.2.840.113549.1.9.16.2.15',
  policyUri: '1.2.840.113549.1.9.16.5.1',
  signatureTimestamp: '1.2.840.113549.1.9.16.2.14',
  timestampInfo: '1.2.840.113549.1.9.16.1.4',
  timeStamping: '1.3.6.1.5.5.7.3.8',
  ecPublicKey: '1.2.840.10045.2.1',
  rsaPublicKey: '1.2.840.113549.1.1.1',
  rsaPss: '1.2.840.113549.1.1.10',
  ed25519: '1.3.101.112',
} as const;

export const digestOids: Record<DigestName, string> = {
  sha256: '2.16.840.1.101.3.4.2.1',
  sha384: '2.16.840.1.101.3.4.2.2',
  sha512: '2.16.840.1.101.3.4.2.3',
};

export const rsaOids: Record<DigestName, string> = {
  sha256: '1.2.840.113549.1.1.11',
  sha384: '1.2.840.113549.1.1.12',
  sha512: '1.2.840.113549.1.1.13',
};

export const ecdsaOids: Record<DigestName, string> = {
  sha256: '1.2.840.10045.4.3.2',
  sha384: '1.2.840.10045.4.3.3',
  sha512: '1.2.840.10045.4.3.4',
};

/** Named curves (RFC 5480 §2.1.1.1). */
export const curveOids = {
  'P-256': '1.2.840.10045.3.1.7',
  'P-384': '1.3.132.0.34',
  'P-521': '1.3.132.0.35',
} as const;
