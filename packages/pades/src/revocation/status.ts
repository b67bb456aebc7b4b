import type { Crypto } from '../crypto.ts';
import type { Certificate } from '../x509/certificate.ts';
import { entryFor, listCovers } from './crl.ts';
import type { RevocationList } from './crl.ts';
import { answerFor } from './ocsp.ts';
import type { OcspResponse } from './ocsp.ts';

/** Where a proof was found. */
export type ProofSource = 'document' | 'signature' | 'fetched';

export interface RevocationProof<T> {
  readonly source: ProofSource;
  readonly value: T;
}

export interface RevocationProofs {
  readonly lists: RevocationProof<RevocationList>[];
  readonly responses: RevocationProof<OcspResponse>[];
}

export interface RevocationStatus {
  readonly status: 'good' | 'revoked' | 'unknown' | 'not-needed';
  /** When it was revoked. */
  readonly revokedAt: Date | null;
  /** RFC 5280 §5.3.1. */
  readonly reason: number | null;
  readonly kind: 'crl' | 'ocsp' | null;
  readonly source: ProofSource | null;
  readonly thisUpdate: Date | null;
  readonly nextUpdate: Date | null;
}

const nothing: RevocationStatus = {
  status: 'unknown',
  revokedAt: null,
  reason: null,
  kind: null,
  source: null,
  thisUpdate: null,
  nextUpdate: null,
};

/** How far clocks may differ. */
const skew = 5 * 60_000;

/**
 * The certificate's status at `time` (RFC 5280 §6.3, RFC 6960). Only proofs that speak of that time count: made after it,
 * or before it and still in force then. A revocation, whenever known, wins over any "good".
 */
export async function revocationAt(
  certificate: Certificate,
  issuer: Certificate,
  time: Date,
  proofs: RevocationProofs,
  crypto: Crypto,
): Promise<RevocationStatus> {
  if (certificate.neverRevoked) return { ...nothing, status: 'not-needed' };
  const found = [...(await fromResponses(certificate, issuer, proofs, crypto)), ...(await fromLists(certificate, issuer, proofs))];
  const revoked = found.filter(({ status }) => status === 'revoked').toSorted((a, b) => millis(a.revokedAt) - millis(b.revokedAt))[0];
  if (revoked !== undefined) return revoked;
  const speaking = found.filter((one) => one.status === 'good' && speaksOf(one, time));
  // The file's own proofs come first: what it carries needs nobody else.
  return speaking.toSorted((a, b) => order(a) - order(b) || millis(b.thisUpdate) - millis(a.thisUpdate))[0] ?? nothing;
}

function order({ source }: RevocationStatus): number {
  return source === 'document' ? 0 : 1;
}

function millis(date: Date | null): number {
  return date?.getTime() ?? 0;
}

function speaksOf({ thisUpdate, nextUpdate }: RevocationStatus, time: Date): boolean {
  if (thisUpdate === null) return false;
  return thisUpdate.getTime() + skew >= time.getTime() || (nextUpdate !== null && nextUpdate >= time);
}

async function fromResponses(
  certificate: Certificate,
  issuer: Certificate,
  { responses }: RevocationProofs,
  crypto: Crypto,
): Promise<RevocationStatus[]> {
  const result: RevocationStatus[] = [];
  for (const { source, value } of responses) {
    const answer = await answerFor(value, certificate, issuer, crypto);
    if (answer === null || answer.status === 'unknown') continue;
    const { status, revokedAt, thisUpdate, nextUpdate } = answer;
    result.push({ status, revokedAt, reason: status === 'revoked' ? answer.reason : null, kind: 'ocsp', source, thisUpdate, nextUpdate });
  }
  return result;
}

async function fromLists(certificate: Certificate, issuer: Certificate, { lists }: RevocationProofs): Promise<RevocationStatus[]> {
  const result: RevocationStatus[] = [];
  for (const { source, value } of lists) {
    if (!(await listCovers(value, certificate, issuer))) continue;
    const entry = entryFor(value, certificate);
    const { thisUpdate, nextUpdate, keepsExpiredSince } = value;
    // A list made after the certificate's end may have dropped it, unless it says that it keeps such ones.
    const dropped = thisUpdate > certificate.notAfter && (keepsExpiredSince === null || keepsExpiredSince > certificate.notAfter);
    if (entry === null && dropped) continue;
    result.push({
      status: entry === null ? 'good' : 'revoked',
      revokedAt: entry?.at ?? null,
      reason: entry?.reason ?? null,
      kind: 'crl',
      source,
      thisUpdate,
      nextUpdate,
    });
  }
  return result;
}
