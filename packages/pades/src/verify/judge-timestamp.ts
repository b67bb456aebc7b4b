import type { HashName } from '../crypto.ts';
import { commonName } from '../x509/names.ts';
import { checkTimestamp, readTimestampToken } from './check-timestamp.ts';
import type { TimestampToken } from './check-timestamp.ts';
import { contradicts } from './existence.ts';
import type { StatedTime } from './existence.ts';
import { judgeCertificate } from './judge-certificate.ts';
import type { JudgeContext } from './judge-certificate.ts';
import { VerdictBuilder } from './report.ts';
import type { TimestampReport } from './report.ts';

export interface TimestampClaim {
  readonly kind: TimestampReport['kind'];
  readonly field: string | null;
  /** TimeStampToken. */
  readonly token: Uint8Array;
  /** Digest of what it must speak of. */
  readonly digest: (hash: HashName) => Promise<Uint8Array>;
  /** Proven existence of the token itself, by a later document timestamp. */
  readonly proven: StatedTime | null;
}

/** Judges a timestamp token (RFC 3161 §2.3, §2.4.2; EN 319 102-1 §5.4). */
export async function judgeTimestamp(claim: TimestampClaim, context: JudgeContext, out = new VerdictBuilder()): Promise<TimestampReport> {
  const blank = { kind: claim.kind, field: claim.field, time: null, accuracy: 0, authority: null, policy: null, chain: [], trust: null };
  let token: TimestampToken;
  try {
    token = readTimestampToken(claim.token);
  } catch {
    out.fail('FORMAT_FAILURE', 'CMS_MALFORMED');
    return { ...blank, ...out.verdict };
  }
  context.evidence.addFrom(token.cms);
  const { time, policy, accuracy } = token;
  const certificate = await checkTimestamp(token, claim.digest, context.crypto, out);
  if (certificate === null) return { ...blank, time, accuracy, policy, ...out.verdict };
  // A later timestamp over this one that names an earlier time: one of the two authorities is wrong.
  if (claim.proven !== null && contradicts(token, claim.proven)) out.doubt('TIMESTAMP_ORDER_FAILURE', 'TIMESTAMP_ORDER');
  const judged = await judgeCertificate(certificate, { proven: claim.proven?.time ?? null, notBefore: null, stated: time }, context, out);
  const authority = commonName(certificate.subject);
  return { ...blank, time, accuracy, policy, authority, ...judged, ...out.verdict };
}
