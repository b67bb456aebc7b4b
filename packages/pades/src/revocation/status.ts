import type { Crypto } from '../crypto.ts';
import { isSha1, sha1Ended } from '../x509/algorithms.ts';
import type { Certificate } from '../x509/certificate.ts';
import { entryFor, isBaseOf, listCovers, reachOf, removeFromList } from './crl.ts';
import type { ListReach, RevocationList } from './crl.ts';
import { answerFor } from './ocsp.ts';
import type { OcspResponse } from './ocsp.ts';

/** Where a proof was found. */
export type ProofSource = 'document' | 'signature' | 'fetched';

/** Bytes of the file that hold something. */
export interface ProofPlace {
  readonly start: number;
  readonly end: number;
  /** Part of what this signature signs: whatever proves the signature proves it too. */
  readonly signedBy?: object;
}

export interface RevocationProof<T> {
  readonly source: ProofSource;
  /** Null for what is not in the file, or not known where. */
  readonly place?: ProofPlace | null;
  readonly value: T;
}

export interface RevocationProofs {
  readonly lists: RevocationProof<RevocationList>[];
  readonly responses: RevocationProof<OcspResponse>[];
}

/** What proofs say about a certificate at one time (RFC 5280 §6.3, RFC 6960 §2.2), and which proof it was. */
export interface RevocationStatus {
  /** `unproven`: good by a proof that might be younger than its maker's end, or than SHA-1's where it is signed with that. */
  readonly status: 'good' | 'revoked' | 'unknown' | 'unproven' | 'not-needed';
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
export const clockSkewMs = 5 * 60_000;

/** Since when proofs exist, and until when their maker's word counts (EN 319 102-1 §5.6.2.2). */
export interface ProofBounds {
  /** The proven time, or that of validation. */
  readonly existed: (place: ProofPlace | null) => Date;
  /** The issuer's end or revocation; null for an anchor, which is believed as it is. */
  readonly issuerEnd: Date | null;
}

/** A status, where its proof stands and until when its maker's word counts. */
interface Told {
  readonly status: RevocationStatus;
  readonly place: ProofPlace | null;
  readonly makerEnd: Date | null;
  /** Signed with SHA-1, by its maker or by who delegated them: whoever finds two texts of one digest has both. */
  readonly isWeak: boolean;
}

/**
 * The certificate's status at `time` (RFC 5280 §6.3, RFC 6960). Only proofs that speak of that time count: made after it,
 * or before it and still in force then. A revocation, whenever known, wins over any "good". With `bounds`, a good word
 * must be proven to be older than the end of who gave it.
 */
export async function revocationAt(
  certificate: Certificate,
  issuer: Certificate,
  time: Date,
  proofs: RevocationProofs,
  crypto: Crypto,
  bounds: ProofBounds | null = null,
): Promise<RevocationStatus> {
  if (certificate.neverRevoked) return { ...nothing, status: 'not-needed' };
  const issuerEnd = bounds?.issuerEnd ?? null;
  const told = [
    ...(await fromResponses(certificate, issuer, proofs, crypto, issuerEnd)),
    ...(await fromLists(certificate, issuer, proofs, issuerEnd)),
  ];
  const found = told.map(({ status }) => status);
  const revoked = revocationOf(found);
  if (revoked !== null) return revoked;
  const speaking = told.filter(({ status }) => status.status === 'good' && speaksOf(status, time));
  const proven = speaking.filter((one) => isProven(one, bounds));
  // The file's own proofs come first: what it carries needs nobody else.
  const best = proven.map(({ status }) => status).toSorted((a, b) => order(a) - order(b) || millis(b.thisUpdate) - millis(a.thisUpdate))[0];
  return best ?? (speaking.length === 0 ? nothing : { ...nothing, status: 'unproven' });
}

/** A good word that is proven to be older than the end of who gave it, and than SHA-1's where it is signed with that. */
function isProven({ place, makerEnd, isWeak }: Told, bounds: ProofBounds | null): boolean {
  if (bounds === null) return !isWeak;
  const end = isWeak ? earlier(sha1Ended, makerEnd) : makerEnd;
  return end === null || bounds.existed(place) <= end;
}

/** RFC 5280 §5.3.1: on hold, which may end. */
export const certificateHold = 6;

/** unspecified, affiliationChanged, superseded, cessationOfOperation: stated, the key is unharmed (RFC 3161 §4). */
const harmless = new Set([0, 3, 4, 5]);

export function isHarmless(reason: number | null): boolean {
  return reason !== null && harmless.has(reason);
}

/** On hold, and a newer proof no longer says so: such a certificate was never revoked. */
function isReleased({ reason, thisUpdate }: RevocationStatus, all: readonly RevocationStatus[]): boolean {
  return reason === certificateHold && all.some((one) => one.status === 'good' && millis(one.thisUpdate) > millis(thisUpdate));
}

/**
 * The revocation that proofs tell of: since the earliest date, and for good where any says so. Who was on hold first and revoked then has
 * not been good between; a hold that has become a revocation is none any more.
 */
function revocationOf(found: readonly RevocationStatus[]): RevocationStatus | null {
  const revoked = found
    .filter((one) => one.status === 'revoked' && !isReleased(one, found))
    .toSorted((a, b) => millis(a.revokedAt) - millis(b.revokedAt));
  const [first] = revoked;
  if (first === undefined) return null;
  const finals = revoked.filter(({ reason }) => reason !== certificateHold);
  // What began as harmless and was known for worse later is worse.
  const final = finals.find(({ reason }) => !isHarmless(reason)) ?? finals[0];
  return final === undefined ? first : { ...final, revokedAt: first.revokedAt };
}

function order({ source }: RevocationStatus): number {
  return source === 'document' ? 0 : 1;
}

function millis(date: Date | null): number {
  return date?.getTime() ?? 0;
}

function speaksOf({ thisUpdate, nextUpdate }: RevocationStatus, time: Date): boolean {
  if (thisUpdate === null) return false;
  return thisUpdate.getTime() + clockSkewMs >= time.getTime() || (nextUpdate !== null && nextUpdate >= time);
}

async function fromResponses(
  certificate: Certificate,
  issuer: Certificate,
  { responses, lists }: RevocationProofs,
  crypto: Crypto,
  issuerEnd: Date | null,
): Promise<Told[]> {
  const result: Told[] = [];
  for (const { source, value, place = null } of responses) {
    const answered = await answerFor(value, certificate, issuer, crypto);
    if (answered === null || answered.answer.status === 'unknown') continue;
    const { answer, responder } = answered;
    if (responder !== null && !responder.neverRevoked && (await isListed(responder, issuer, lists))) continue;
    const { status, revokedAt, thisUpdate, nextUpdate, keepsExpiredSince } = answer;
    // Responders forget expired certificates, and call good what they do not know (RFC 6960 §4.4.4).
    if (status === 'good' && isForgotten(certificate, thisUpdate, keepsExpiredSince)) continue;
    const reason = status === 'revoked' ? answer.reason : null;
    const makerEnd = responder === null ? issuerEnd : earlier(responder.notAfter, issuerEnd);
    const isWeak = isSha1(value.signatureAlgorithm) || (responder !== null && isSha1(responder.signatureAlgorithm));
    result.push({ status: { status, revokedAt, reason, kind: 'ocsp', source, thisUpdate, nextUpdate }, place, makerEnd, isWeak });
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
    if ((await reachOf(value, responder, issuer)) === 'nothing') continue;
    const entry = readEntry(value, responder);
    if (entry !== null && entry !== 'unreadable' && entry.reason !== removeFromList) return true;
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

function earlier(a: Date, b: Date | null): Date {
  return b !== null && b < a ? b : a;
}

async function fromLists(
  certificate: Certificate,
  issuer: Certificate,
  { lists }: RevocationProofs,
  makerEnd: Date | null,
): Promise<Told[]> {
  const result: Told[] = [];
  const speaking: (RevocationProof<RevocationList> & { reach: ListReach; entry: ReturnType<typeof entryFor> })[] = [];
  for (const one of lists) {
    const reach = await reachOf(one.value, certificate, issuer);
    const entry = reach === 'nothing' ? 'unreadable' : readEntry(one.value, certificate);
    if (entry !== 'unreadable') speaking.push({ ...one, reach, entry });
  }
  for (const { source, value, place = null, reach, entry } of speaking) {
    const { thisUpdate, nextUpdate, keepsExpiredSince, deltaBase } = value;
    const told = { kind: 'crl', source, thisUpdate, nextUpdate } as const;
    const isWeak = isSha1(value.signatureAlgorithm);
    if (entry !== null && entry.reason !== removeFromList) {
      result.push({ status: { ...told, status: 'revoked', revokedAt: entry.at, reason: entry.reason }, place, makerEnd, isWeak });
      continue;
    }
    if (reach !== 'all' || isForgotten(certificate, thisUpdate, keepsExpiredSince)) continue;
    // A delta list alone says nothing of who is not in it; with its base it is a newer complete list.
    const isClear = (base: (typeof speaking)[number]) => base.entry === null || (entry !== null && base.entry.reason === certificateHold);
    const isComplete = deltaBase === null || speaking.some((base) => base.reach === 'all' && isBaseOf(base.value, value) && isClear(base));
    if (isComplete) result.push({ status: { ...told, status: 'good', revokedAt: null, reason: null }, place, makerEnd, isWeak });
  }
  return result;
}

/**
 * True when a proof speaks of the certificate, of whatever time: what a level asks (EN 319 142-1 §6.3), not whether the proof
 * convinces.
 */
export async function isSpokenOf(
  certificate: Certificate,
  issuer: Certificate,
  { lists, responses }: RevocationProofs,
  crypto: Crypto,
): Promise<boolean> {
  if (certificate.neverRevoked) return true;
  for (const { value } of responses) if ((await answerFor(value, certificate, issuer, crypto)) !== null) return true;
  for (const { value } of lists) if (await listCovers(value, certificate, issuer)) return true;
  return false;
}
