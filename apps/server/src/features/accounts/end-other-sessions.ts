import type { Person } from '../../access/actor.ts';
import { findSessionDevice, revokeOtherSessions } from '../../access/sessions.store.ts';
import { recordAudit } from '../../audit/audit.store.ts';
import type { Ctx } from '../../context.ts';
import { forgetDevices } from './devices.store.ts';

/** Ends every session but the one that asks; the other browsers are strangers' from then on. */
export async function endOtherSessions(ctx: Ctx, actor: Person): Promise<void> {
  const device = await findSessionDevice(ctx, actor.sessionId);
  await ctx.transaction(async (tx) => {
    await revokeOtherSessions(tx, actor.userId, actor.sessionId);
    await forgetDevices(tx, actor.userId, device);
    await recordAudit(tx, { kind: 'session.ended', outcome: 'success', reason: 'others', accountId: actor.userId, ip: actor.from.ip });
  });
}
