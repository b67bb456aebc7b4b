import { encoded } from '../asn1/der.ts';
import type { DerNode } from '../asn1/der.ts';
import { oids } from '../asn1/oids.ts';
import { digestOf } from '../crypto.ts';
import type { HashName } from '../crypto.ts';
import { contradicts, earliestOf, latestOf, timestampsInside, timestampsOver } from './existence.ts';
import type { ProvenTime, StatedTime } from './existence.ts';
import type { FoundSignature } from './find-signatures.ts';
import type { JudgeContext } from './judge-certificate.ts';
import { judgeTimestamp } from './judge-timestamp.ts';
import type { SignatureReport, TimestampReport, VerdictBuilder } from './report.ts';
import type { SignerInfo } from '../cms/read-signed-data.ts';

const contentTimestamp = '1.2.840.113549.1.9.16.2.20';
/** More tokens in one signature are an attack on who has to check them. */
const maxTokens = 16;

/** When a signature existed, and after what it was made. */
export interface SignatureTimes {
  readonly timestamps: readonly TimestampReport[];
  readonly contentTimestamps: readonly TimestampReport[];
  /** Best-signature-time (EN 319 102-1 §5.5.4), and what proves it. */
  readonly provenTime: Date | null;
  readonly provenBy: SignatureReport['provenBy'];
  readonly provenAfter: Date | null;
}

export interface TimesClaim {
  readonly found: FoundSignature;
  readonly signer: SignerInfo | null;
  /** The file's document timestamps, judged. */
  readonly proofs: readonly ProvenTime[];
  /** Digest of the signed bytes. */
  readonly digest: (hash: HashName) => Promise<Uint8Array>;
}

/**
 * Judges the timestamps of a signature and around it. What it signs was stamped before it, its own timestamps come after
 * it, and document timestamps over it last: times that say otherwise are TIMESTAMP_ORDER_FAILURE (§5.5.4, §5.6.3).
 */
export async function judgeTimes(
  { found, signer, proofs, digest }: TimesClaim,
  context: JudgeContext,
  out: VerdictBuilder,
): Promise<SignatureTimes> {
  const over = timestampsOver(found.range?.end ?? Number.POSITIVE_INFINITY, proofs);
  const inside = timestampsInside(found.range?.gapStart ?? Number.NEGATIVE_INFINITY, proofs);
  const covering = earliestOf(over);
  const judge = async (kind: TimestampReport['kind'], values: readonly DerNode[], of: TimesClaim['digest']): Promise<TimestampReport[]> => {
    const reports: TimestampReport[] = [];
    for (const token of values.slice(0, maxTokens)) {
      reports.push(await judgeTimestamp({ kind, field: null, token: encoded(token), digest: of, proven: covering }, context));
    }
    return reports;
  };
  const own = signer === null ? [] : (signer.unsigned.get(oids.signatureTimestamp) ?? []).flat();
  const ofContent = signer === null ? [] : (signer.signed.get(contentTimestamp) ?? []).flat();
  const value = signer?.signature ?? new Uint8Array();
  const timestamps = await judge('signature-timestamp', own, (hash) => digestOf(context.crypto, hash, value));
  const contentTimestamps = await judge('content-timestamp', ofContent, digest);
  const before = [...inside, ...contentTimestamps.flatMap(statedBy)];
  const after = timestamps.flatMap(statedBy);
  const contradicting = [...timestamps, ...contentTimestamps].some(({ reasons }) => reasons.includes('TIMESTAMP_ORDER'));
  if (contradicting || !areInOrder(before, after) || !areInOrder(before, over)) out.doubt('TIMESTAMP_ORDER_FAILURE', 'TIMESTAMP_ORDER');
  const first = earliestOf(after);
  const isOwn = first !== null && (covering === null || first.time <= covering.time);
  return {
    timestamps,
    contentTimestamps,
    provenTime: (isOwn ? first : covering)?.time ?? null,
    provenBy: isOwn ? 'signature-timestamp' : covering === null ? null : 'document-timestamp',
    provenAfter: latestOf([...inside.filter(({ valid }) => valid), ...contentTimestamps.flatMap(statedBy)])?.time ?? null,
  };
}

function areInOrder(before: readonly StatedTime[], after: readonly StatedTime[]): boolean {
  return !before.some((one) => after.some((other) => contradicts(one, other)));
}

function statedBy({ indication, time, accuracy }: TimestampReport): StatedTime[] {
  return indication === 'TOTAL-PASSED' && time !== null ? [{ time, accuracy }] : [];
}
