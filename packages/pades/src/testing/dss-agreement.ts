import type { DssFact } from '../../vectors/dss-asserts.ts';
import type { DocumentTimestampReport, ReasonCode, SignatureReport, VerificationReport } from '../verify/report.ts';

/** What two verifiers can differ in about one signature or document timestamp. */
export const aspects = ['listed', 'integrity', 'changes', 'level'] as const;
export type Aspect = (typeof aspects)[number];

export interface Comparison {
  readonly field: string;
  readonly aspect: Aspect;
  readonly ours: string;
  readonly theirs: string;
}

const open = new Set<ReasonCode>([
  'ALGORITHM_UNSUPPORTED',
  'SUBFILTER_UNSUPPORTED',
  'NO_SIGNED_ATTRIBUTES',
  'SIGNING_CERTIFICATE_NOT_FOUND',
]);
const changed = new Set<ReasonCode>(['CHANGED_AFTER_SIGNATURE', 'LATER_CHANGES_UNREADABLE', 'BOX_ADDED_AFTER_CERTIFICATION']);

function ownFact(report: SignatureReport | DocumentTimestampReport): DssFact {
  const { kind, indication, reasons } = report;
  const isChanged = reasons.some((reason) => changed.has(reason));
  const isSound = (isChanged || indication !== 'TOTAL-FAILED') && !reasons.some((reason) => open.has(reason));
  const field = report.kind === 'signature' ? report.fields.join(', ') : (report.field ?? '');
  const level = report.kind === 'signature' ? (report.level ?? '-') : '';
  return [kind, field, isSound ? 'sound' : 'broken', level, isChanged ? 'undefined' : 'permitted'];
}

/**
 * Every aspect that both speak of, agreed or not: changes only of what both find sound, levels only of what we do not fail. DSS
 * has names of its own for what is no baseline level; spots that merely look otherwise are no undefined change.
 */
export function compareWithDss(theirs: readonly DssFact[], report: VerificationReport | null): Comparison[] {
  const own = report === null ? [] : [...report.signatures, ...report.documentTimestamps];
  const ours = new Map(own.map((one) => [ownFact(one)[1], { fact: ownFact(one), failed: one.indication === 'TOTAL-FAILED' }]));
  const found: Comparison[] = [];
  for (const [kind, field, integrity, level, changes] of theirs) {
    const one = ours.get(field);
    ours.delete(field);
    found.push({ field, aspect: 'listed', ours: one?.fact[0] ?? 'nothing', theirs: kind });
    if (one === undefined) continue;
    const [, , ownIntegrity, ownLevel, ownChanges] = one.fact;
    found.push({ field, aspect: 'integrity', ours: ownIntegrity, theirs: integrity });
    const theirChanges = changes === 'looks' ? 'permitted' : changes;
    if (ownIntegrity === 'sound' && integrity === 'sound') found.push({ field, aspect: 'changes', ours: ownChanges, theirs: theirChanges });
    if (kind === 'signature' && !one.failed) {
      found.push({ field, aspect: 'level', ours: ownLevel, theirs: level.startsWith('B-') ? level : '-' });
    }
  }
  for (const [field, { fact }] of ours) found.push({ field, aspect: 'listed', ours: fact[0], theirs: 'nothing' });
  return found;
}

export function disagreements(all: readonly Comparison[]): string[] {
  return all.filter(({ ours, theirs }) => ours !== theirs).map(({ field, aspect }) => `${field}: ${aspect}`);
}
