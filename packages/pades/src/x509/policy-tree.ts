import type { Certificate } from './certificate.ts';
import { sameName } from './name-match.ts';

const anyPolicy = '2.5.29.32.0';

/** The valid policies at one depth, each with what it may be called in the next certificate (expected_policy_set). */
type Level = Map<string, Set<string>>;

/**
 * RFC 5280 §6.1.2 to §6.1.5 for a path from the first certificate below the anchor down to the leaf, with any policy
 * acceptable and nothing demanded at the start. False when a certificate demands policies (policyConstraints) that are
 * not there, after mappings and inhibitAnyPolicy. Of the tree only its newest level is kept: whether it is empty is the
 * question, and so nobody can make it grow without end.
 */
export function policiesHold(path: readonly Certificate[]): boolean {
  const length = path.length;
  let level: Level = new Map([[anyPolicy, new Set([anyPolicy])]]);
  let explicit = length + 1;
  let mapping = length + 1;
  let inhibitAny = length + 1;
  for (const [index, certificate] of path.entries()) {
    const isLast = index === length - 1;
    const isSelfIssued = sameName(certificate.issuer, certificate.subject);
    level = nextLevel(level, certificate, inhibitAny > 0 || (!isLast && isSelfIssued));
    if (explicit === 0 && level.size === 0) return false;
    const { requireExplicitPolicy, inhibitPolicyMapping } = certificate.policyConstraints;
    if (isLast) {
      explicit = requireExplicitPolicy === 0 ? 0 : Math.max(0, explicit - 1);
      break;
    }
    if (!applyMappings(level, certificate.policyMappings, mapping > 0)) return false;
    if (!isSelfIssued) {
      explicit = Math.max(0, explicit - 1);
      mapping = Math.max(0, mapping - 1);
      inhibitAny = Math.max(0, inhibitAny - 1);
    }
    explicit = Math.min(explicit, requireExplicitPolicy ?? explicit);
    mapping = Math.min(mapping, inhibitPolicyMapping ?? mapping);
    inhibitAny = Math.min(inhibitAny, certificate.inhibitAnyPolicy ?? inhibitAny);
  }
  return explicit > 0 || level.size > 0;
}

/** §6.1.3 (d) and (e). */
function nextLevel(level: Level, { policies }: Certificate, anyCounts: boolean): Level {
  const next: Level = new Map();
  const expected = new Set([...level.values()].flatMap((names) => [...names]));
  for (const policy of policies) {
    if (policy !== anyPolicy && (expected.has(policy) || level.has(anyPolicy))) next.set(policy, new Set([policy]));
  }
  if (anyCounts && policies.includes(anyPolicy)) {
    for (const policy of expected) if (!next.has(policy)) next.set(policy, new Set([policy]));
  }
  return next;
}

/** §6.1.4 (a) and (b). False for a mapping from or to anyPolicy. */
function applyMappings(level: Level, mappings: readonly (readonly [string, string])[], allowed: boolean): boolean {
  if (mappings.some((pair) => pair.includes(anyPolicy))) return false;
  const bySource = new Map<string, Set<string>>();
  for (const [source, target] of mappings) bySource.set(source, (bySource.get(source) ?? new Set()).add(target));
  const hasAny = level.has(anyPolicy);
  for (const [source, targets] of bySource) {
    if (!allowed) level.delete(source);
    else if (level.has(source) || hasAny) level.set(source, targets);
  }
  return true;
}
