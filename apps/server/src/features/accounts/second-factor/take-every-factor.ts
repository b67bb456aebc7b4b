import { revokeOtherSessions } from '../../../access/sessions.store.ts';
import { type AuditEntry, recordAudit } from '../../../audit/audit.store.ts';
import type { Tx } from '../../../context.ts';
import { queueMail } from '../../../mail/send-mail.job.ts';
import { lockUser } from '../accounts.store.ts';
import { deleteFactors } from './factors.store.ts';
import { factorMail } from './second-factor.mail.ts';

/**
 * The account's factors are gone, its sessions end, its holder is told, and the security log has by whom. False where there was
 * none: nothing is touched then.
 */
export async function takeEveryFactor(tx: Tx, userId: string, by: Pick<AuditEntry, 'accountId' | 'ip' | 'reason'>): Promise<boolean> {
  const user = await lockUser(tx, userId);
  if (!(await deleteFactors(tx, userId))) return false;
  await revokeOtherSessions(tx, userId, null);
  await recordAudit(tx, { kind: 'factor.reset', outcome: 'success', subjectId: userId, ...by });
  await queueMail(tx, user.email, user.langKey, factorMail(tx, user, 'factorsReset'));
  return true;
}
