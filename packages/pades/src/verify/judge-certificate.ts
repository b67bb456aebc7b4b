import type { Crypto } from '../crypto.ts';
import { listCovers } from '../revocation/crl.ts';
import type { RevocationSource } from '../material.ts';
import { certificateHold, clockSkewMs, isHarmless, revocationAt } from '../revocation/status.ts';
import type { ProofPlace, RevocationStatus } from '../revocation/status.ts';
import type { Certificate } from '../x509/certificate.ts';
import { findChain } from '../x509/chain.ts';
import type { Chain, ChainProblem } from '../x509/chain.ts';
import { nameText } from '../x509/names.ts';
import type { Evidence } from './evidence.ts';
import type { TimeBounds } from './existence.ts';
import type { CertificateSummary, ReasonCode, SubIndication, VerdictBuilder } from './report.ts';

export interface JudgeContext {
  readonly evidence: Evidence;
  readonly anchors: readonly { certificate: Certificate; name: string }[];
  readonly revocations: RevocationSource | undefined;
  readonly crypto: Crypto;
  /** The time of validation. */
  readonly at: Date;
  /** When what stands there is proven to have existed, as far as is known by now. */
  readonly existed: (place: ProofPlace) => Date | null;
}

export interface JudgedChain {
  readonly chain: readonly CertificateSummary[];
  readonly trust: string | null;
}

interface Issue {
  readonly sub: SubIndication;
  readonly reason: ReasonCode;
  readonly fatal: boolean;
}

const chainIssues: Record<ChainProblem, [SubIndication, ReasonCode]> = {
  incomplete: ['NO_CERTIFICATE_CHAIN_FOUND', 'CHAIN_INCOMPLETE'],
  untrusted: ['CERTIFICATE_CHAIN_GENERAL_FAILURE', 'CHAIN_UNTRUSTED'],
  constraints: ['CHAIN_CONSTRAINTS_FAILURE', 'CHAIN_CONSTRAINTS'],
  'weak-algorithm': ['CRYPTO_CONSTRAINTS_FAILURE', 'ALGORITHM_WEAK'],
};

/**
 * Chain, validity and revocation (EN 319 102-1 §5.2.6, and §5.5 with a proof of existence): good when they hold at the
 * time of validation, or at the proven time. What was made after the certificate's end or revocation has failed (§5.3).
 */
export async function judgeCertificate(
  leaf: Certificate,
  bounds: TimeBounds,
  context: JudgeContext,
  out: VerdictBuilder,
): Promise<JudgedChain> {
  const anchors = context.anchors.map(({ certificate }) => certificate);
  const chain = await findChain(leaf, context.evidence.pool, anchors);
  const trust = context.anchors.find(({ certificate }) => certificate === chain.anchor)?.name ?? null;
  if (chain.problem !== null) out.doubt(...chainIssues[chain.problem]);
  if (chain.anchor === null) return { chain: summaries(chain, new Map()), trust };
  let answer = await holdsAt(chain, bounds, context);
  if (answer.issues.some(({ reason }) => fetchable.has(reason)) && context.revocations !== undefined) {
    await fetchProofs(chain, context.revocations, context.evidence);
    answer = await holdsAt(chain, bounds, context);
  }
  answer = await newestWord(chain, bounds, context, answer);
  for (const { sub, reason, fatal } of answer.issues) {
    if (fatal) out.fail(sub, reason);
    else out.doubt(sub, reason);
  }
  return { chain: summaries(chain, answer.statuses), trust };
}

/**
 * Good by what was said before the proven time: it may have been revoked in between, which a later word tells (EN 319 102-1 §5.2.5: conclusive
 * is one from after it). Asked for while such a word can be had; only what speaks against the certificate counts.
 */
async function newestWord(chain: Chain, bounds: TimeBounds, context: JudgeContext, answer: Answer): Promise<Answer> {
  if (answer.issues.length > 0 || context.revocations === undefined) return answer;
  if (!(await isWorthAsking(chain, bounds, context, answer))) return answer;
  await fetchProofs(chain, context.revocations, context.evidence);
  const anew = await holdsAt(chain, bounds, context);
  return anew.issues.some(({ reason }) => isRevocation.has(reason)) ? anew : answer;
}

/** A certificate that may have been revoked since it was spoken of, and of which nobody was asked in this verification, nor its issuer's list had. */
async function isWorthAsking(chain: Chain, { proven }: TimeBounds, context: JudgeContext, { statuses }: Answer): Promise<boolean> {
  const { asked, lists } = context.evidence;
  const fetched = lists.filter(({ source }) => source === 'fetched');
  for (const [index, issuer] of chain.certificates.slice(1).entries()) {
    const certificate = chain.certificates[index];
    if (!certificate || certificate.notAfter <= context.at || asked.has(certificate)) continue;
    const status = statuses.get(certificate);
    if (!status?.thisUpdate) continue;
    const isOlder = proven !== null && status.thisUpdate.getTime() + clockSkewMs < proven.getTime();
    // A revocation that harms nothing may have become one that does.
    if (!isOlder && status.status !== 'revoked') continue;
    const covering = await Promise.all(fetched.map(({ value }) => listCovers(value, certificate, issuer)));
    if (!covering.includes(true)) return true;
  }
  return false;
}

const isRevocation = new Set<ReasonCode>(['CERTIFICATE_REVOKED', 'CERTIFICATE_SUSPENDED', 'AUTHORITY_REVOKED', 'SIGNED_AFTER_REVOCATION']);

const fetchable = new Set<ReasonCode>(['REVOCATION_UNKNOWN', 'REVOCATION_UNPROVEN']);

interface Answer {
  readonly issues: readonly Issue[];
  readonly statuses: Map<Certificate, RevocationStatus>;
}

/** Then, when it is proven, or else now: the file's own proofs speak of then, so that nothing need be fetched. */
async function holdsAt(chain: Chain, { proven, notBefore, stated }: TimeBounds, context: JudgeContext): Promise<Answer> {
  const now = () => issuesAt(chain, { time: context.at, proven: false, notBefore, stated }, context);
  if (proven === null) return now();
  const then = await issuesAt(chain, { time: proven, proven: true, notBefore, stated }, context);
  if (then.issues.length === 0 || then.issues.some(({ fatal }) => fatal)) return then;
  const answer = await now();
  return answer.issues.length === 0 ? answer : then;
}

/** When the chain must hold: at a proven time, or at the time of validation. */
interface Moment {
  readonly time: Date;
  readonly proven: boolean;
  readonly notBefore: Date | null;
  readonly stated: Date | undefined;
}

async function issuesAt(chain: Chain, moment: Moment, context: JudgeContext): Promise<Answer> {
  const issues: Issue[] = [];
  const statuses = await statusesAt(chain, moment.time, context);
  for (const [index, certificate] of chain.certificates.entries()) {
    const issuer = chain.certificates[index + 1];
    const status = statuses.get(certificate);
    // An anchor is believed as it is, unless it is itself the signer's.
    if (issuer === undefined && index > 0) break;
    issues.push(...(index === 0 ? leafBounds(certificate, moment, status) : authorityBounds(certificate, moment)));
    if (status) issues.push(...revocationIssues(status, index === 0, moment));
  }
  // Nobody's word counts behind an authority that was revoked: that it was is the reason.
  const isRevoked = issues.some(({ reason }) => reason === 'AUTHORITY_REVOKED');
  return { issues: isRevoked ? issues.filter(({ reason }) => reason !== 'REVOCATION_UNPROVEN') : issues, statuses };
}

/**
 * From the anchor down (EN 319 102-1 §5.6.2.2): who has ended, or was revoked, says nothing good any more, but what is
 * proven to have been said before still counts.
 */
async function statusesAt(chain: Chain, time: Date, context: JudgeContext): Promise<Map<Certificate, RevocationStatus>> {
  const statuses = new Map<Certificate, RevocationStatus>();
  const existed = (place: ProofPlace | null) => (place === null ? null : context.existed(place)) ?? context.at;
  let issuerEnd: Date | null = null;
  for (let index = chain.certificates.length - 2; index >= 0; index--) {
    const [certificate, issuer] = [chain.certificates[index], chain.certificates[index + 1]];
    if (certificate === undefined || issuer === undefined) break;
    const status = await revocationAt(certificate, issuer, time, context.evidence, context.crypto, { existed, issuerEnd });
    statuses.set(certificate, status);
    const { revokedAt } = status;
    issuerEnd = revokedAt !== null && revokedAt < certificate.notAfter ? revokedAt : certificate.notAfter;
  }
  return statuses;
}

/**
 * Signed before the certificate began is a failure once the time is proven, and so is what was made after its end. Else,
 * after its end, there is no proof of before; whether it was revoked until then may be known.
 */
function leafBounds({ notBefore, notAfter }: Certificate, moment: Moment, status: RevocationStatus | undefined): Issue[] {
  const { time, proven } = moment;
  if (moment.notBefore !== null && moment.notBefore > notAfter) return [{ sub: 'EXPIRED', reason: 'SIGNED_AFTER_EXPIRY', fatal: true }];
  const outOfBounds = status?.status === 'good' ? 'OUT_OF_BOUNDS_NOT_REVOKED' : 'OUT_OF_BOUNDS_NO_POE';
  if (time < notBefore) return [{ sub: proven ? 'NOT_YET_VALID' : outOfBounds, reason: 'CERTIFICATE_NOT_YET_VALID', fatal: proven }];
  return time > notAfter ? [{ sub: outOfBounds, reason: 'CERTIFICATE_EXPIRED', fatal: false }] : [];
}

function authorityBounds({ notBefore, notAfter }: Certificate, { time }: Moment): Issue[] {
  if (time < notBefore) return [{ sub: 'OUT_OF_BOUNDS_NO_POE', reason: 'CERTIFICATE_NOT_YET_VALID', fatal: false }];
  return time > notAfter ? [{ sub: 'OUT_OF_BOUNDS_NO_POE', reason: 'CERTIFICATE_EXPIRED', fatal: false }] : [];
}

function revocationIssues({ status, revokedAt, reason }: RevocationStatus, isLeaf: boolean, moment: Moment): Issue[] {
  if (status === 'unknown') return [{ sub: 'TRY_LATER', reason: 'REVOCATION_UNKNOWN', fatal: false }];
  if (status === 'unproven') return [{ sub: 'REVOCATION_OUT_OF_BOUNDS_NO_POE', reason: 'REVOCATION_UNPROVEN', fatal: false }];
  if (status !== 'revoked' || (moment.proven && revokedAt !== null && revokedAt > moment.time)) return [];
  if (reason === certificateHold) return [{ sub: 'TRY_LATER', reason: 'CERTIFICATE_SUSPENDED', fatal: false }];
  if (isLeaf && isHarmless(reason) && wasStatedBefore(revokedAt, moment)) return [];
  if (!isLeaf) return [{ sub: 'REVOKED_CA_NO_POE', reason: 'AUTHORITY_REVOKED', fatal: false }];
  if (moment.notBefore !== null && revokedAt !== null && moment.notBefore >= revokedAt) {
    return [{ sub: 'REVOKED', reason: 'SIGNED_AFTER_REVOCATION', fatal: true }];
  }
  return [{ sub: 'REVOKED_NO_POE', reason: 'CERTIFICATE_REVOKED', fatal: false }];
}

/** Tokens from before a revocation whose reason is stated and leaves the key unharmed stay valid (RFC 3161 §4, 1); where none is stated, none does. */
function wasStatedBefore(revokedAt: Date | null, { stated }: Moment): boolean {
  return stated !== undefined && revokedAt !== null && stated < revokedAt;
}

/** Asked only once the chain has reached an anchor: addresses in certificates of strangers are not called. */
async function fetchProofs(chain: Chain, revocations: RevocationSource, evidence: Evidence): Promise<void> {
  for (const certificate of chain.certificates) evidence.asked.add(certificate);
  const found = await revocations.material(chain.certificates.map(({ der }) => der)).catch(() => null);
  if (found === null) return;
  evidence.addCertificates(found.certificates);
  for (const der of found.crls) evidence.addList(der, 'fetched');
  for (const der of found.ocsps) evidence.addResponse(der, 'fetched');
}

function summaries({ certificates }: Chain, statuses: Map<Certificate, RevocationStatus>): CertificateSummary[] {
  return certificates.map((certificate) => ({
    subject: nameText(certificate.subject),
    issuer: nameText(certificate.issuer),
    serial: certificate.serial,
    notBefore: certificate.notBefore,
    notAfter: certificate.notAfter,
    der: certificate.der,
    revocation: statuses.get(certificate) ?? null,
  }));
}
