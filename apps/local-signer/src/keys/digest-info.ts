import type { DigestName } from '@lavra/pades';

/** DigestInfo without the digest (RFC 8017 §9.2, note 1). */
const prefixes: Record<DigestName, string> = {
  sha256: '3031300d060960864801650304020105000420',
  sha384: '3041300d060960864801650304020205000430',
  sha512: '3051300d060960864801650304020305000440',
};

/** What CKM_RSA_PKCS pads and signs. */
export function digestInfo(digest: DigestName, hash: Uint8Array): Uint8Array {
  return new Uint8Array(Buffer.concat([Buffer.from(prefixes[digest], 'hex'), hash]));
}
