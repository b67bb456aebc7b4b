import type { Crypto } from '../crypto.ts';
import type { RevocationSource } from '../extend/extend-pdf.ts';
import { revocationAt } from '../revocation/status.ts';
import type { RevocationStatus } from '../revocation/status.ts';
import type { Certificate } from '../x509/certificate.ts';
import { findChain } from '../x509/chain.ts';
import type { Chain, ChainProblem } from '../x509/chain.ts';
import { nameText } from '../x509/names.ts';
import type { Evidence } from './evidence.ts';
import type { CertificateSummary, ReasonCode, SubIndication, VerdictBuilder } from './report.ts';

export interface JudgeContext {
  readonly evidence: Evidence;
  readonly anchors: readonly { certificate: Certificate; name: string }[];
  readonly revocations: RevocationSource | undefined;
  readonly crypto: Crypto;
  /** The time of validation. */
  readonly at: Date;
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
 * time of validation, or at the proven time.
 */
export async function judgeCertificate(
  leaf: Certificate,
  proven: Date | null,
  context: JudgeContext,
  out: VerdictBuilder,
): Promise<JudgedChain> {
  const anchors = context.anchors.map(({ certificate }) => certificate);
  const chain = await findChain(leaf, context.evidence.pool, anchors);
  const trust = context.anchors.find(({ certificate }) => certificate === chain.anchor)?.name ?? null;
  if (chain.problem !== null) out.doubt(...chainIssues[chain.problem]);
  if (chain.anchor === null) return { chain: summaries(chain, new Map()), trust };
  let answer = await holdsAt(chain, proven, context);
  if (answer.issues.some(({ reason }) => reason === 'REVOCATION_UNKNOWN') && context.revocations !== undefined) {
    await fetchProofs(chain, context.revocations, context.evidence);
    answer = await holdsAt(chain, proven, context);
  }
  for (const { sub, reason, fatal } of answer.issues) {
    if (fatal) out.fail(sub, reason);
    else out.doubt(sub, reason);
  }
  return { chain: summaries(chain, answer.statuses), trust };
}

interface Answer {
  readonly issues: readonly Issue[];
  readonly statuses: Map<Certificate, RevocationStatus>;
}

/** Then, when it is proven, or else now: the file's own proofs speak of then, so that nothing need be fetched. */
async function holdsAt(chain: Chain, proven: Date | null, context: JudgeContext): Promise<Answer> {
  if (proven === null) return issuesAt(chain, context.at, false, context);
  const then = await issuesAt(chain, proven, true, context);
  if (then.issues.length === 0 || then.issues.some(({ fatal }) => fatal)) return then;
  const now = await issuesAt(chain, context.at, false, context);
  return now.issues.length === 0 ? now : then;
}

async function issuesAt(chain: Chain, time: Date, proven: boolean, context: JudgeContext): Promise<Answer> {
  const issues: Issue[] = [];
  const statuses = new Map<Certificate, RevocationStatus>();
  for (const [index, certificate] of chain.certificates.entries()) {
    const issuer = chain.certificates[index + 1];
    // An anchor is believed as it is, unless it is itself the signer's.
    if (issuer !== undefined || index === 0) issues.push(...boundsIssues(certificate, time, proven && index === 0));
    if (issuer === undefined) break;
    const status = await revocationAt(certificate, issuer, time, context.evidence, context.crypto);
    statuses.set(certificate, status);
    if (status.status === 'unknown') issues.push({ sub: 'TRY_LATER', reason: 'REVOCATION_UNKNOWN', fatal: false });
    if (status.status === 'revoked' && !(proven && status.revokedAt !== null && status.revokedAt > time)) {
      const isLeaf = index === 0;
      const reason = isLeaf ? 'CERTIFICATE_REVOKED' : 'AUTHORITY_REVOKED';
      issues.push({ sub: isLeaf ? 'REVOKED_NO_POE' : 'REVOKED_CA_NO_POE', reason, fatal: false });
    }
  }
  return { issues, statuses };
}

/** Signed before the certificate began is a failure once the time is proven; after its end, there is no proof of before. */
function boundsIssues({ notBefore, notAfter }: Certificate, time: Date, proven: boolean): Issue[] {
  if (time < notBefore) {
    return [{ sub: proven ? 'NOT_YET_VALID' : 'OUT_OF_BOUNDS_NO_POE', reason: 'CERTIFICATE_NOT_YET_VALID', fatal: proven }];
  }
  return time > notAfter ? [{ sub: 'OUT_OF_BOUNDS_NO_POE', reason: 'CERTIFICATE_EXPIRED', fatal: false }] : [];
}

/** Asked only once the chain has reached an anchor: addresses in certificates of strangers are not called. */
async function fetchProofs(chain: Chain, revocations: RevocationSource, evidence: Evidence): Promise<void> {
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
