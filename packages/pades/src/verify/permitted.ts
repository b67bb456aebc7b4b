import { isLocked } from '../pdf/permissions.ts';
import type { CertificationLevel, FieldLock } from '../pdf/permissions.ts';
import type { Change } from './report.ts';

const allowed: Record<CertificationLevel, readonly Change['level'][]> = {
  1: ['archive'],
  2: ['archive', 'fill'],
  3: ['archive', 'fill', 'annotate'],
};

/**
 * Changes a signature does not allow (ISO 32000-2 §12.8.2.2, §12.8.2.4). Without a DocMDP statement, filling and signing
 * is allowed, as readers do.
 */
export function forbiddenChanges(
  changes: readonly Change[],
  permission: CertificationLevel | null,
  locks: readonly FieldLock[],
): readonly Change[] {
  const levels = allowed[permission ?? 2];
  return changes.filter((change) => {
    if (!levels.includes(change.level)) return true;
    return change.field !== null && change.level === 'fill' && isLocked(locks, change.field);
  });
}

/**
 * A box or note that was not there when the document was certified: readers disagree on it, and it may cover what was
 * certified. Even where the certification allows notes (P=3), nobody can tell a remark from a forged price.
 */
export function boxesAfterCertification(changes: readonly Change[], permission: CertificationLevel | null): boolean {
  return (
    permission !== null && changes.some(({ kind, level, visible }) => visible && (kind === 'signature-field-added' || level === 'annotate'))
  );
}
