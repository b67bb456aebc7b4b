import { DomainError } from '@lavra/domain';
import type { Person } from '../../access/actor.ts';
import { findSessionDevice, revokeSessionOf } from '../../access/sessions.store.ts';
import { recordAudit } from '../../audit/audit.store.ts';
import type { Ctx } from '../../context.ts';
import { forgetDevice } from './devices.store.ts';

/**
 * Ends one session of the account, from wherever its holder is. Its browser is a stranger's from then on, unless it is the one that
 * asks. @throws DomainError request.notFound: it is another's, or has ended
 */
export async function endAccountSession(ctx: Ctx, actor: Person, { id }: { id: string }): Promise<void> {
  const [here, there] = [await findSessionDevice(ctx, actor.sessionId), await findSessionDevice(ctx, id)];
  await ctx.transaction(async (tx) => {
    if (!(await revokeSessionOf(tx, actor.userId, id))) throw new DomainError('request.notFound');
    if (there !== null && there !== here) await forgetDevice(tx, actor.userId, there);
    await recordAudit(tx, { kind: 'session.ended', outcome: 'success', accountId: actor.userId, subjectId: id, ip: actor.from.ip });
  });
}
