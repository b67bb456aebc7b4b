import { child, children, contentOf, readDer, sameBytes } from '../cms/der.ts';
import { oids } from '../cms/oids.ts';
import { digestOf } from '../crypto.ts';
import type { HashName } from '../crypto.ts';
import { PadesError } from '../errors.ts';
import { hashNamed } from '../x509/algorithms.ts';
import type { Certificate } from '../x509/certificate.ts';
import { commonName } from '../x509/names.ts';
import { dotted, timeOf } from '../x509/values.ts';
import { checkCms } from './check-cms.ts';
import { judgeCertificate } from './judge-certificate.ts';
import type { JudgeContext } from './judge-certificate.ts';
import { VerdictBuilder } from './report.ts';
import type { TimestampReport } from './report.ts';
import { parseSignedData } from './signed-data.ts';
import type { SignedData } from './signed-data.ts';

export interface TimestampClaim {
  readonly kind: TimestampReport['kind'];
  readonly field: string | null;
  /** TimeStampToken. */
  readonly token: Uint8Array;
  /** Digest of what it must speak of. */
  readonly digest: (hash: HashName) => Promise<Uint8Array>;
  /** Proven existence of the token itself, by a later document timestamp. */
  readonly proven: Date | null;
}

interface TokenInfo {
  readonly policy: string;
  readonly hash: HashName | null;
  readonly imprint: Uint8Array;
  readonly time: Date;
}

/** Judges a timestamp token (RFC 3161 §2.3, §2.4.2; EN 319 102-1 §5.4). */
export async function judgeTimestamp(claim: TimestampClaim, context: JudgeContext, out = new VerdictBuilder()): Promise<TimestampReport> {
  const blank = { kind: claim.kind, field: claim.field, time: null, authority: null, policy: null, chain: [], trust: null };
  let cms: SignedData;
  let info: TokenInfo;
  try {
    cms = parseSignedData(claim.token);
    info = readInfo(cms);
  } catch {
    out.fail('FORMAT_FAILURE', 'CMS_MALFORMED');
    return { ...blank, ...out.verdict };
  }
  context.evidence.addFrom(cms);
  const imprint = info.hash === null ? null : await claim.digest(info.hash);
  if (imprint === null) out.doubt('CRYPTO_CONSTRAINTS_FAILURE', 'ALGORITHM_UNSUPPORTED');
  else if (!sameBytes(imprint, info.imprint)) out.fail('HASH_FAILURE', 'TIMESTAMP_IMPRINT_MISMATCH');
  // Two files of one SHA-1 are made for some thousand dollars: the token may be the other one's.
  else if (info.hash === 'sha1') out.doubt('CRYPTO_CONSTRAINTS_FAILURE', 'ALGORITHM_WEAK');
  const { crypto } = context;
  const certificate = await checkCms(
    cms,
    {
      digest: (hash) => digestOf(crypto, hash, cms.content ?? new Uint8Array()),
      contentType: oids.timestampInfo,
      protectsCertificate: true,
    },
    crypto,
    out,
  );
  if (certificate === null) return { ...blank, time: info.time, policy: info.policy, ...out.verdict };
  if (!isForTimestamps(certificate)) out.doubt('CHAIN_CONSTRAINTS_FAILURE', 'TIMESTAMP_PURPOSE');
  // The token must have been made while its authority was good, whatever proves its existence later.
  if (info.time < certificate.notBefore || info.time > certificate.notAfter) out.doubt('OUT_OF_BOUNDS_NO_POE', 'CERTIFICATE_EXPIRED');
  const judged = await judgeCertificate(certificate, claim.proven, context, out);
  const authority = commonName(certificate.subject);
  return { ...blank, time: info.time, policy: info.policy, authority, ...judged, ...out.verdict };
}

function readInfo({ content, contentType }: SignedData): TokenInfo {
  if (content === null || contentType !== oids.timestampInfo) throw new PadesError('TIMESTAMP_INVALID');
  const info = readDer(content);
  const [, policy, imprint, , time] = children(info);
  if (imprint === undefined) throw new PadesError('TIMESTAMP_INVALID');
  return {
    policy: dotted(policy),
    hash: hashNamed(child(imprint, 0, 0x30)),
    imprint: contentOf(child(imprint, 1, 0x04)),
    time: timeOf(time),
  };
}

/** The purpose timeStamping, alone and critical (RFC 3161 §2.3). */
function isForTimestamps({ purposes, purposesCritical }: Certificate): boolean {
  return purposesCritical && purposes?.length === 1 && purposes[0] === oids.timeStamping;
}
