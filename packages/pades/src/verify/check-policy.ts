import { child, contentOf } from '../cms/der.ts';
import { oids } from '../cms/oids.ts';
import { knownPolicies } from '../policies/icp-brasil.ts';
import type { KnownPolicy } from '../policies/icp-brasil.ts';
import { hashNamed } from '../x509/algorithms.ts';
import { dotted, toHex } from '../x509/values.ts';
import type { PolicyReport, TimestampReport, VerdictBuilder } from './report.ts';
import { single } from './signed-data.ts';
import type { SignerInfo } from './signed-data.ts';

/** What ICP-Brasil's PAdES policies forbid among the signed attributes (DOC-ICP-15.03, tables A.14 and A.15). */
const forbidden = [
  '1.2.840.113549.1.9.5', // signing-time: the claim is M
  '1.2.840.113549.1.9.16.2.12', // signing-certificate, the first version
  '1.2.840.113549.1.9.16.2.17', // signer-location
  '1.2.840.113583.1.1.8', // adbe-revocationInfoArchival
];

/**
 * The signature policy a signature names (EN 319 122-1 §5.2.9). One of ICP-Brasil's must be named by its true
 * signPolicyHash, carry no attribute it forbids, and hold the timestamp it demands; of others only the name is told.
 */
export function checkPolicy(signer: SignerInfo, timestamps: readonly TimestampReport[], out: VerdictBuilder): PolicyReport | null {
  const value = single(signer.signed, oids.signaturePolicy);
  // A NULL stands for an implied policy: none that could be checked.
  if (value?.tag !== 0x30) return null;
  let stated: { oid: string; hash: string };
  try {
    const digest = child(value, 1, 0x30);
    const isSha256 = hashNamed(child(digest, 0, 0x30)) === 'sha256';
    stated = { oid: dotted(child(value, 0)), hash: isSha256 ? toHex(contentOf(child(digest, 1, 0x04))) : '' };
  } catch {
    out.doubt('POLICY_PROCESSING_ERROR', 'POLICY_UNKNOWN');
    return null;
  }
  const known = knownPolicies.get(stated.oid);
  if (known === undefined) return { oid: stated.oid, name: null, hash: 'unknown-policy' };
  if (stated.hash !== known.hash) out.doubt('POLICY_PROCESSING_ERROR', 'POLICY_HASH_MISMATCH');
  if (forbidden.some((id) => signer.signed.has(id))) out.doubt('SIG_CONSTRAINTS_FAILURE', 'POLICY_ATTRIBUTE_FORBIDDEN');
  if (needsTimestamp(known) && !timestamps.some(({ indication }) => indication === 'TOTAL-PASSED')) {
    out.doubt('SIG_CONSTRAINTS_FAILURE', 'POLICY_TIMESTAMP_MISSING');
  }
  return { oid: known.oid, name: `${known.family} ${known.version}`, hash: stated.hash === known.hash ? 'matches' : 'differs' };
}

/** All but the basic one. */
function needsTimestamp({ family }: KnownPolicy): boolean {
  return family !== 'AD-RB';
}
