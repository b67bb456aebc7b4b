import { sameBytes } from '../cms/der.ts';
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

/** What proofs say about a certificate at one time (RFC 5280 §6.3, RFC 6960 §2.2), and which proof it was. */
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
  { responses, lists }: RevocationProofs,
  crypto: Crypto,
): Promise<RevocationStatus[]> {
  const result: RevocationStatus[] = [];
  for (const { source, value } of responses) {
    const answered = await answerFor(value, certificate, issuer, crypto);
    if (answered === null || answered.answer.status === 'unknown') continue;
    const { answer, responder } = answered;
    if (responder !== null && !responder.neverRevoked && (await isListed(responder, issuer, lists))) continue;
    const { status, revokedAt, thisUpdate, nextUpdate, keepsExpiredSince } = answer;
    // Responders forget expired certificates, and call good what they do not know (RFC 6960 §4.4.4).
    if (status === 'good' && isForgotten(certificate, thisUpdate, keepsExpiredSince)) continue;
    result.push({ status, revokedAt, reason: status === 'revoked' ? answer.reason : null, kind: 'ocsp', source, thisUpdate, nextUpdate });
  }
  return result;
}

/** Who speaks after the certificate's end may have dropped it, unless they say that they keep such ones. */
function isForgotten({ notAfter }: Certificate, thisUpdate: Date, keepsExpiredSince: Date | null): boolean {
  return thisUpdate > notAfter && (keepsExpiredSince === null || keepsExpiredSince > notAfter);
}

/** A delegated responder whose own certificate was revoked says nothing (§4.2.2.2.1), whatever date it puts on its answers. */
async function isListed(responder: Certificate, issuer: Certificate, lists: RevocationProofs['lists']): Promise<boolean> {
  for (const { value } of lists) {
    if (!(await listCovers(value, responder, issuer))) continue;
    const entry = readEntry(value, responder);
    if (entry !== null && entry !== 'unreadable') return true;
  }
  return false;
}

/** A list with broken entries proves nothing: the one that was looked for may stand behind them. */
function readEntry(list: RevocationList, certificate: Certificate): ReturnType<typeof entryFor> | 'unreadable' {
  try {
    return entryFor(list, certificate);
  } catch {
    return 'unreadable';
  }
}

async function fromLists(certificate: Certificate, issuer: Certificate, { lists }: RevocationProofs): Promise<RevocationStatus[]> {
  const result: RevocationStatus[] = [];
  for (const { source, value } of lists) {
    if (!(await listCovers(value, certificate, issuer))) continue;
    const entry = readEntry(value, certificate);
    if (entry === 'unreadable') continue;
    const { thisUpdate, nextUpdate, keepsExpiredSince } = value;
    if (entry === null && isForgotten(certificate, thisUpdate, keepsExpiredSince)) continue;
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

/**
 * True when the document carries a proof of its own about the certificate, of whatever time: what a level asks (EN 319
 * 142-1 §6.3), not whether the proof convinces. Without an issuer to check it by, whom the proof names is what counts.
 */
export async function isSpokenOfInDocument(
  certificate: Certificate,
  issuer: Certificate | null,
  proofs: RevocationProofs,
  crypto: Crypto,
): Promise<boolean> {
  if (certificate.neverRevoked) return true;
  const lists = proofs.lists.filter(({ source }) => source === 'document');
  const responses = proofs.responses.filter(({ source }) => source === 'document');
  if (issuer === null) {
    const isListed = lists.some(({ value }) => sameBytes(value.issuer, certificate.issuer));
    return isListed || responses.some(({ value }) => value.answers.some(({ serial }) => serial === certificate.serial));
  }
  for (const { value } of responses) if ((await answerFor(value, certificate, issuer, crypto)) !== null) return true;
  for (const { value } of lists) if (await listCovers(value, certificate, issuer)) return true;
  return false;
}
