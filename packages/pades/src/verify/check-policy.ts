import { child, contentOf } from '../asn1/der.ts';
import { oids } from '../asn1/oids.ts';
import type { PdfDict } from '../pdf/objects.ts';
import { knownPolicies } from '../policies/icp-brasil.ts';
import type { IcpBrasilRoot, KnownPolicy } from '../policies/icp-brasil.ts';
import { hashNamed } from '../x509/algorithms.ts';
import type { Certificate } from '../x509/certificate.ts';
import { dotted } from '../asn1/values.ts';
import { hexText } from '../pdf/hex.ts';
import { keyBits } from '../x509/verify-signed.ts';
import type { PolicyReport, ReasonCode, TimestampReport, VerdictBuilder } from './report.ts';
import { single } from '../cms/read-signed-data.ts';
import type { SignerInfo } from '../cms/read-signed-data.ts';

/** What ICP-Brasil's PAdES policies forbid among the signed attributes (DOC-ICP-15.03, tables A.14 and A.15). */
const forbidden = [
  '1.2.840.113549.1.9.5', // signing-time: the claim is M
  '1.2.840.113549.1.9.16.2.12', // signing-certificate, the first version
  '1.2.840.113549.1.9.16.2.17', // signer-location
  '1.2.840.113583.1.1.8', // adbe-revocationInfoArchival
];

/** What they forbid in the signature dictionary (table A.18). */
const forbiddenEntries = ['Cert', 'R', 'Prop_AuthType'];

/** What a later look may settle. */
const passing = new Set<ReasonCode>(['REVOCATION_UNKNOWN', 'REVOCATION_UNPROVEN', 'CERTIFICATE_SUSPENDED']);

export interface PolicyClaim {
  readonly dict: PdfDict;
  readonly signer: SignerInfo;
  readonly certificate: Certificate | null;
  /** The signature's own. */
  readonly timestamps: readonly TimestampReport[];
  /** When it was signed: proven, or else claimed. */
  readonly time: Date | null;
  /** The roots that signer and valid timestamps lead to; null for one that is none of ICP-Brasil's. */
  readonly roots: readonly (IcpBrasilRoot | null)[];
  /** What the file lacks of the archive that AD-RC and AD-RA demand. */
  readonly lacksOfArchive: (policy: KnownPolicy) => Promise<readonly ReasonCode[]>;
}

/**
 * The signature policy a signature names (EN 319 122-1 §5.2.9). One of ICP-Brasil's must be named by its true
 * signPolicyHash, carry no attribute it forbids, and hold the timestamp it demands: else the verdict is INDETERMINATE too.
 * Whatever else the policy asks (period, algorithms, roots, entries, archive) is told in the report of the policy alone.
 * Of other policies only the name is told.
 */
export async function checkPolicy(claim: PolicyClaim, out: VerdictBuilder): Promise<PolicyReport | null> {
  const { signer, timestamps } = claim;
  const value = single(signer.signed, oids.signaturePolicy);
  // A NULL stands for an implied policy: none that could be checked.
  if (value?.tag !== 0x30) return null;
  let stated: { oid: string; hash: string };
  try {
    const digest = child(value, 1, 0x30);
    const isSha256 = hashNamed(child(digest, 0, 0x30)) === 'sha256';
    stated = { oid: dotted(child(value, 0)), hash: isSha256 ? hexText(contentOf(child(digest, 1, 0x04))) : '' };
  } catch {
    out.doubt('POLICY_PROCESSING_ERROR', 'POLICY_UNKNOWN');
    return null;
  }
  const known = knownPolicies.get(stated.oid);
  if (known === undefined) return { oid: stated.oid, name: null, hash: 'unknown-policy', status: 'unknown-policy', reasons: [] };
  const reasons: ReasonCode[] = [];
  const doubt = (sub: 'POLICY_PROCESSING_ERROR' | 'SIG_CONSTRAINTS_FAILURE', reason: ReasonCode): void => {
    out.doubt(sub, reason);
    reasons.push(reason);
  };
  if (stated.hash !== known.hash) doubt('POLICY_PROCESSING_ERROR', 'POLICY_HASH_MISMATCH');
  if (forbidden.some((id) => signer.signed.has(id))) doubt('SIG_CONSTRAINTS_FAILURE', 'POLICY_ATTRIBUTE_FORBIDDEN');
  const { family } = known;
  if (family !== 'AD-RB' && !timestamps.some(({ indication }) => indication === 'TOTAL-PASSED')) {
    const unsure = timestamps.filter(
      ({ indication, reasons: own }) => indication === 'INDETERMINATE' && own.every((one) => passing.has(one)),
    );
    if (unsure.length === 0) doubt('SIG_CONSTRAINTS_FAILURE', 'POLICY_TIMESTAMP_MISSING');
    // It is there, and what is doubted of it is the signature's doubt: that it were missing would be another fault.
    for (const { subIndication, reasons: own } of unsure) if (subIndication) for (const reason of own) out.doubt(subIndication, reason);
  }
  reasons.push(...mismatches(claim, known));
  if (family === 'AD-RC' || family === 'AD-RA') reasons.push(...(await claim.lacksOfArchive(known)));
  return {
    oid: known.oid,
    name: `${family} ${known.version}`,
    hash: stated.hash === known.hash ? 'matches' : 'differs',
    status: reasons.length === 0 ? 'matches' : 'violated',
    reasons: [...new Set(reasons)],
  };
}

function mismatches({ dict, signer, certificate, time, roots }: PolicyClaim, policy: KnownPolicy): ReasonCode[] {
  const missing = !signer.signed.has(oids.signingCertificateV2);
  const entries = forbiddenEntries.some((key) => dict.has(key));
  return [
    ...(isInForce(policy, time) ? [] : (['POLICY_PERIOD'] as const)),
    ...(permits(policy, signer, certificate) ? [] : (['POLICY_ALGORITHM'] as const)),
    ...(missing ? (['POLICY_ATTRIBUTE_MISSING'] as const) : []),
    ...(entries ? (['POLICY_ENTRY_FORBIDDEN'] as const) : []),
    ...(roots.every((root) => root !== null && policy.roots.includes(root)) ? [] : (['POLICY_ROOT'] as const)),
  ];
}

/** Within the signing period, and approved then. A signature without any time says nothing of it. */
function isInForce({ from, until, revoked }: KnownPolicy, time: Date | null): boolean {
  return time !== null && time >= from && time <= until && (revoked === null || time < revoked);
}

function permits({ algorithms }: KnownPolicy, { algorithm, digest }: SignerInfo, certificate: Certificate | null): boolean {
  if (algorithm === null || certificate === null) return false;
  const bits = keyBits(certificate.publicKey);
  return algorithms.some((one) => one.kind === algorithm.kind && (one.digest === null || one.digest === digest) && bits >= one.bits);
}
