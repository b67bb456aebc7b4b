import { DomainError } from '@lavra/domain';
import type { Person } from '../../access/actor.ts';
import { revokeOtherSessions } from '../../access/sessions.store.ts';
import { recordAudit } from '../../audit/audit.store.ts';
import type { Ctx } from '../../context.ts';
import { findUserById } from './accounts.store.ts';

/** Signs somebody out everywhere; one's own session stays. @throws DomainError request.notFound */
export async function endUserSessions(ctx: Ctx, actor: Person, { accountId }: { accountId: string }): Promise<void> {
  if (!(await findUserById(ctx, accountId))) throw new DomainError('request.notFound');
  const { userId, sessionId, from } = actor;
  await ctx.transaction(async (tx) => {
    await revokeOtherSessions(tx, accountId, sessionId);
    await recordAudit(tx, {
      kind: 'session.ended',
      outcome: 'success',
      reason: 'administrator',
      accountId: userId,
      subjectId: accountId,
      ip: from.ip,
    });
  });
}
