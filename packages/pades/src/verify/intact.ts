import { sameBytes } from '../asn1/der.ts';
import { oids } from '../asn1/oids.ts';
import { digestOf } from '../crypto.ts';
import type { Crypto, HashName } from '../crypto.ts';
import { checkCms } from './check-cms.ts';
import { checkTimestamp, readTimestampToken } from './check-timestamp.ts';
import type { FoundSignature } from './find-signatures.ts';
import { VerdictBuilder } from './report.ts';
import type { ReasonCode } from './report.ts';
import type { SignedData } from '../cms/read-signed-data.ts';

/** What leaves open whether the value is a signature over these bytes at all. */
const open = new Set<ReasonCode>([
  'ALGORITHM_UNSUPPORTED',
  'NO_SIGNED_ATTRIBUTES',
  'SIGNING_CERTIFICATE_NOT_FOUND',
  'SIGNING_CERTIFICATE_MISMATCH',
]);

/**
 * The signature or timestamp holds over its bytes, whoever made it: nothing of chains, times or policies. What a box may bring
 * to a page depends on it, before anything else is judged.
 */
export async function isIntact(
  found: FoundSignature,
  cms: SignedData | null,
  digest: (hash: HashName) => Promise<Uint8Array>,
  crypto: Crypto,
): Promise<boolean> {
  if (found.fault !== null || found.range === null) return false;
  const out = new VerdictBuilder();
  try {
    if (found.kind === 'timestamp') await checkTimestamp(readTimestampToken(found.contents), digest, crypto, out);
    else if (cms === null) return false;
    else if (found.subFilter === 'adbe.pkcs7.sha1') return await isIntactOldForm(cms, digest, crypto);
    else if (cms.content !== null) return false;
    else await checkCms(cms, { digest, contentType: oids.data, protectsCertificate: false }, crypto, out);
  } catch {
    return false;
  }
  return !out.failed && !out.verdict.reasons.some((reason) => open.has(reason));
}

/** The old form signs a SHA-1 digest of the bytes as its content (ISO 32000-1 §12.8.3.3.1). */
async function isIntactOldForm(cms: SignedData, digest: (hash: HashName) => Promise<Uint8Array>, crypto: Crypto): Promise<boolean> {
  const { content } = cms;
  if (content === null || !sameBytes(content, await digest('sha1'))) return false;
  const out = new VerdictBuilder();
  const ofContent = (hash: HashName) => digestOf(crypto, hash, content);
  await checkCms(cms, { digest: ofContent, contentType: oids.data, protectsCertificate: false }, crypto, out);
  return !out.failed && !out.verdict.reasons.some((reason) => open.has(reason));
}
