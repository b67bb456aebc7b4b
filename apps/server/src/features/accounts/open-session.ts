import { randomUUID } from 'node:crypto';
import { DomainError } from '@lavra/domain';
import { recordAudit } from '../../audit/audit.store.ts';
import type { Ctx } from '../../context.ts';
import { insertSession } from '../../access/sessions.store.ts';
import type { Visitor } from '../../access/actor.ts';
import type { DeviceClaim } from '../../access/device-claim.ts';
import { signToken } from '../../access/token.ts';
import { lockUser } from './accounts.store.ts';
import { ensureDevice, rememberDevice } from './devices.store.ts';

const SESSION_HOURS = 12;
const REMEMBERED_SESSION_DAYS = 30;

/** An access token, and the claim that the browser keeps in its cookie. */
export interface Entrance {
  token: string;
  device: DeviceClaim;
}

/** Opens a session of 12 hours, or 30 days when remembered, on the browser's device. @throws DomainError account.loginNotFound */
export async function openSession(
  ctx: Ctx,
  { from }: Visitor,
  entering: { user: { id: string; passwordHash: string | null }; remember: boolean; device: DeviceClaim | null },
): Promise<Entrance> {
  const { user, remember } = entering;
  const id = randomUUID();
  const hours = remember ? REMEMBERED_SESSION_DAYS * 24 : SESSION_HOURS;
  const expiresAt = new Date(ctx.clock.now().getTime() + hours * 3_600_000);
  const userId = user.id;
  const device = await ctx.transaction(async (tx) => {
    // A password that was replaced since it was looked at opens nothing.
    const { passwordHash, email } = await lockUser(tx, userId);
    if (passwordHash !== user.passwordHash) throw new DomainError('account.loginNotFound');
    const ensured = await ensureDevice(tx, entering.device);
    await rememberDevice(tx, ensured.id, userId);
    await insertSession(tx, { id, userId, expiresAt, userAgent: from.userAgent, deviceId: ensured.id });
    await tx.addressProven(tx, { userId, email });
    await recordAudit(tx, { kind: 'session.opened', outcome: 'success', accountId: userId, subjectId: id, ip: from.ip });
    return ensured;
  });
  return { token: await signToken(ctx, { sub: userId, sid: id }), device };
}
