import { docMdpOf, fieldLocksOf } from '../pdf/permissions.ts';
import type { CertificationLevel, FieldLock } from '../pdf/permissions.ts';
import type { DocumentContext } from './document-context.ts';
import type { FoundSignature } from './find-signatures.ts';
import { boxesAfterCertification, forbiddenChanges } from './permitted.ts';
import type { VerdictBuilder } from './report.ts';
import type { SignatureReport } from './report.ts';

/** What the signature lets anybody change afterwards: its own statement, its locks and the certification's. */
export async function permissionOf(found: FoundSignature, { pdf, certification }: DocumentContext): Promise<CertificationLevel | null> {
  const inForce = certification !== null && certification.end <= (found.range?.end ?? 0) ? certification.level : null;
  // What cannot be read allows nothing.
  const own = await docMdpOf(pdf, found.dict).catch(() => 1 as const);
  const locks = await fieldLocksOf(pdf, found.dict).catch(() => [lockOnAll]);
  // A lock's P (ISO 32000-2 §12.7.5.5) binds like a DocMDP statement from that signature on: the strictest wins.
  const levels = [own ?? inForce, ...locks.map(({ level }) => level)].filter((level) => level !== null);
  return levels.length === 0 ? null : (Math.min(...levels) as CertificationLevel);
}

/** What a lock that cannot be read counts as. */
const lockOnAll: FieldLock = { action: 'All', fields: [], level: null };

/** What was changed after the signature, and what of that it does not allow. */
export async function checkChanges(
  found: FoundSignature,
  permission: CertificationLevel | null,
  context: DocumentContext,
  out: VerdictBuilder,
): Promise<Pick<SignatureReport, 'changes' | 'forbidden'>> {
  if (found.fault !== null) return { changes: [], forbidden: [] };
  const changes = context.changesAfter(found);
  if (changes === 'unreadable') {
    out.doubt('FORMAT_FAILURE', 'LATER_CHANGES_UNREADABLE');
    return { changes: [], forbidden: [] };
  }
  const locks = await fieldLocksOf(context.pdf, found.dict).catch(() => [lockOnAll]);
  const forbidden = forbiddenChanges(changes, permission, locks);
  if (forbidden.length > 0) out.fail('FORMAT_FAILURE', 'CHANGED_AFTER_SIGNATURE');
  if (boxesAfterCertification(changes, permission)) out.doubt('SIG_CONSTRAINTS_FAILURE', 'BOX_ADDED_AFTER_CERTIFICATION');
  // Signed by whoever added it, and readers accept it: not a forgery, but what stood there can no longer be read.
  if (changes.some(({ kind }) => kind === 'box-over-field')) out.doubt('SIG_CONSTRAINTS_FAILURE', 'BOX_OVER_FIELD');
  return { changes, forbidden };
}
