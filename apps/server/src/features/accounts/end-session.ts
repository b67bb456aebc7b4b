import { recordAudit } from '../../audit/audit.store.ts';
import type { Ctx } from '../../context.ts';
import { revokeSession } from '../../access/sessions.store.ts';
import type { Person } from '../../access/actor.ts';
import { forgetVouch } from './single-sign-on/sso-sessions.store.ts';

/** Signs out, on the server too. The device stays known: it may still pass a door that others shut. */
export function endSession(ctx: Ctx, actor: Person): Promise<void> {
  return ctx.transaction(async (tx) => {
    await revokeSession(tx, actor.sessionId);
    await forgetVouch(tx, actor.sessionId);
    await recordAudit(tx, {
      kind: 'session.ended',
      outcome: 'success',
      accountId: actor.userId,
      subjectId: actor.sessionId,
      ip: actor.from.ip,
    });
  });
}
