import type { Ctx } from '../context.ts';

/** A program in a loop opens many; all of them can be ended at once. */
const SESSIONS_SHOWN = 100;

export async function insertSession(
  tx: Ctx,
  session: { id: string; userId: string; expiresAt: Date; userAgent: string; deviceId: string; singleSignOn: boolean },
): Promise<void> {
  await tx.db
    .insertInto('session')
    .values({
      id: session.id,
      user_id: session.userId,
      created_at: tx.clock.now(),
      expires_at: session.expiresAt,
      last_used_at: tx.clock.now(),
      user_agent: session.userAgent,
      device_id: session.deviceId,
      single_sign_on: session.singleSignOn,
    })
    .execute();
}

export async function revokeSession(ctx: Ctx, id: string): Promise<void> {
  await ctx.db.updateTable('session').set({ revoked_at: ctx.clock.now() }).where('id', '=', id).where('revoked_at', 'is', null).execute();
}

/** It is in use: noted whenever its token is renewed, every ten minutes at most. */
export async function touchSession(tx: Ctx, id: string): Promise<void> {
  await tx.db.updateTable('session').set({ last_used_at: tx.clock.now() }).where('id', '=', id).execute();
}

/** True for a session of this account and device that has neither ended nor been revoked. */
export async function sessionHolds(tx: Ctx, session: { id: string; userId: string; deviceId: string }): Promise<boolean> {
  const found = await tx.db
    .selectFrom('session')
    .innerJoin('app_user', 'app_user.id', 'session.user_id')
    .select('session.id')
    .where('session.id', '=', session.id)
    .where('session.user_id', '=', session.userId)
    .where('session.device_id', '=', session.deviceId)
    .where('session.revoked_at', 'is', null)
    .where('session.single_sign_on', '=', tx.config.sso !== null)
    .where('session.expires_at', '>', tx.clock.now())
    .where('app_user.activated', '=', true)
    .executeTakeFirst();
  return found !== undefined;
}

/** Whether it has neither ended nor been revoked, now. */
export async function isSessionOpen(tx: Ctx, id: string): Promise<boolean> {
  const query = tx.db.selectFrom('session').select('id').where('id', '=', id).where('revoked_at', 'is', null);
  return (await query.where('expires_at', '>', tx.clock.now()).executeTakeFirst()) !== undefined;
}

/** Sessions of an account that have not ended, the one used last first. */
export async function findOpenSessions(ctx: Ctx, userId: string) {
  return ctx.db
    .selectFrom('session')
    .select(['id', 'user_agent as userAgent', 'created_at as createdAt', 'last_used_at as lastUsedAt', 'expires_at as expiresAt'])
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', ctx.clock.now())
    .orderBy((e) => e.fn.coalesce('last_used_at', 'created_at'), 'desc')
    .orderBy('id')
    .limit(SESSIONS_SHOWN)
    .execute();
}

/** Ends a session of this account; false when it is another's or has ended. */
export async function revokeSessionOf(tx: Ctx, userId: string, id: string): Promise<boolean> {
  const written = await tx.db
    .updateTable('session')
    .set({ revoked_at: tx.clock.now() })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', tx.clock.now())
    .executeTakeFirst();
  return Number(written.numUpdatedRows) === 1;
}

/** The device that a session was opened on. */
export async function findSessionDevice(ctx: Ctx, id: string): Promise<string | null> {
  return (await ctx.db.selectFrom('session').select('device_id').where('id', '=', id).executeTakeFirst())?.device_id ?? null;
}

/** Whether a session of this account was opened on a device, be it over; those that ended long ago are forgotten. */
export async function hasEntered(ctx: Ctx, userId: string, deviceId: string): Promise<boolean> {
  const query = ctx.db.selectFrom('session').select('id').where('user_id', '=', userId).where('device_id', '=', deviceId);
  return (await query.limit(1).executeTakeFirst()) !== undefined;
}

/** After a new password every other device signs in again. */
export async function revokeOtherSessions(tx: Ctx, userId: string, exceptId: string | null): Promise<void> {
  let query = tx.db
    .updateTable('session')
    .set({ revoked_at: tx.clock.now() })
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null);
  if (exceptId) query = query.where('id', '!=', exceptId);
  await query.execute();
}

/** Every session of a device that nobody is believed to hold any more. */
export async function revokeSessionsOfDevice(tx: Ctx, deviceId: string): Promise<void> {
  await tx.db
    .updateTable('session')
    .set({ revoked_at: tx.clock.now() })
    .where('device_id', '=', deviceId)
    .where('revoked_at', 'is', null)
    .execute();
}

/** With their account. */
export async function removeSessionsOf(tx: Ctx, userId: string): Promise<void> {
  await tx.db.deleteFrom('session').where('user_id', '=', userId).execute();
}

export async function removeEndedSessions(ctx: Ctx, before: Date): Promise<void> {
  await ctx.db.deleteFrom('session').where('expires_at', '<', before).execute();
}
