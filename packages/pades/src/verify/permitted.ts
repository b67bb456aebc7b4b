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
 * is allowed, as readers do; a new visible box after certification is not.
 */
export function forbiddenChanges(
  changes: readonly Change[],
  permission: CertificationLevel | null,
  locks: readonly FieldLock[],
): readonly Change[] {
  const levels = allowed[permission ?? 2];
  return changes.filter((change) => {
    if (!levels.includes(change.level)) return true;
    if (permission !== null && change.kind === 'signature-field-added' && change.visible) return true;
    return change.field !== null && change.level === 'fill' && isLocked(locks, change.field);
  });
}
