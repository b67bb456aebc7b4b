import { child, children, contentOf, readDer, sameBytes } from '../cms/der.ts';
import type { DerNode } from '../cms/der.ts';
import { oids } from '../cms/oids.ts';
import { digestOf } from '../crypto.ts';
import type { HashName } from '../crypto.ts';
import { PadesError } from '../errors.ts';
import { hashNamed } from '../x509/algorithms.ts';
import type { Certificate } from '../x509/certificate.ts';
import { commonName } from '../x509/names.ts';
import { dotted, timeOf } from '../x509/values.ts';
import { checkCms } from './check-cms.ts';
import { contradicts } from './existence.ts';
import type { StatedTime } from './existence.ts';
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
  readonly proven: StatedTime | null;
}

interface TokenInfo {
  readonly policy: string;
  readonly hash: HashName | null;
  readonly imprint: Uint8Array;
  readonly time: Date;
  readonly accuracy: number;
}

/** Judges a timestamp token (RFC 3161 §2.3, §2.4.2; EN 319 102-1 §5.4). */
export async function judgeTimestamp(claim: TimestampClaim, context: JudgeContext, out = new VerdictBuilder()): Promise<TimestampReport> {
  const blank = { kind: claim.kind, field: claim.field, time: null, accuracy: 0, authority: null, policy: null, chain: [], trust: null };
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
  const { time, policy, accuracy } = info;
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
  if (certificate === null) return { ...blank, time, accuracy, policy, ...out.verdict };
  if (!isForTimestamps(certificate)) out.doubt('CHAIN_CONSTRAINTS_FAILURE', 'TIMESTAMP_PURPOSE');
  // The token must have been made while its authority was good, whatever proves its existence later.
  if (time < certificate.notBefore || time > certificate.notAfter) out.doubt('OUT_OF_BOUNDS_NO_POE', 'CERTIFICATE_EXPIRED');
  // A later timestamp over this one that names an earlier time: one of the two authorities is wrong.
  if (claim.proven !== null && contradicts(info, claim.proven)) out.doubt('TIMESTAMP_ORDER_FAILURE', 'TIMESTAMP_ORDER');
  const judged = await judgeCertificate(certificate, { proven: claim.proven?.time ?? null, notBefore: null }, context, out);
  const authority = commonName(certificate.subject);
  return { ...blank, time, accuracy, policy, authority, ...judged, ...out.verdict };
}

function readInfo({ content, contentType }: SignedData): TokenInfo {
  if (content === null || contentType !== oids.timestampInfo) throw new PadesError('TIMESTAMP_INVALID');
  const info = readDer(content);
  const [, policy, imprint, , time, ...rest] = children(info);
  if (imprint === undefined) throw new PadesError('TIMESTAMP_INVALID');
  return {
    policy: dotted(policy),
    hash: hashNamed(child(imprint, 0, 0x30)),
    imprint: contentOf(child(imprint, 1, 0x04)),
    time: timeOf(time),
    accuracy: accuracyOf(rest.find(({ tag }) => tag === 0x30)),
  };
}

/** Accuracy in milliseconds. An authority that states none is taken to be exact to the second (EN 319 421 §7.7.2). */
function accuracyOf(stated: DerNode | undefined): number {
  if (stated === undefined) return 1000;
  const parts: Record<number, number> = { 0x02: 1000, 0x80: 1, 0x81: 0.001 };
  return children(stated).reduce(
    (sum, part) => sum + (parts[part.tag] ?? 0) * contentOf(part).reduce((value, byte) => value * 256 + byte, 0),
    0,
  );
}

/** The purpose timeStamping, alone and critical (RFC 3161 §2.3). */
function isForTimestamps({ purposes, purposesCritical }: Certificate): boolean {
  return purposesCritical && purposes?.length === 1 && purposes[0] === oids.timeStamping;
}
