import { sql } from 'kysely';
import type { Ctx } from '../context.ts';
import { keptStatement } from '../db/kept-statement.ts';
import type { Person } from './actor.ts';
import { type OpenedLink, selectLink } from './signer-links.store.ts';

/** A program in a loop opens many; all of them can be ended at once. */
const SESSIONS_SHOWN = 100;

interface AskedSession {
  sessionId: string;
  userId: string;
  singleSignOn: boolean;
  now: Date;
}

function selectOwner(db: Ctx['db'], given: AskedSession) {
  return db
    .selectFrom('session')
    .innerJoin('app_user', 'app_user.id', 'session.user_id')
    .leftJoin('company_member', 'company_member.user_id', 'app_user.id')
    .leftJoin('company', 'company.id', 'company_member.company_id')
    .select(['app_user.id', 'app_user.email', 'app_user.first_name', 'app_user.authorities', 'app_user.lang_key'])
    .select(['company.id as company_id', 'company_member.role as company_role', 'company.max_doc_size'])
    .where('session.id', '=', given.sessionId)
    .where('session.user_id', '=', given.userId)
    .where('session.revoked_at', 'is', null)
    .where('session.single_sign_on', '=', given.singleSignOn)
    .where('session.expires_at', '>', given.now)
    .where('app_user.activated', '=', true);
}

const sessionOwner = keptStatement((db, given: AskedSession) => selectOwner(db, given));
const ownerAndLink = keptStatement((db, given: AskedSession & { key: string }) =>
  db
    .selectFrom(sql`(select 1)`.as('one'))
    .leftJoin(selectOwner(db, given).as('owner'), (join) => join.onTrue())
    .leftJoin(selectLink(db, given).as('link'), (join) => join.onTrue())
    .select(['owner.id', 'owner.email', 'owner.first_name', 'owner.authorities', 'owner.lang_key'])
    .select(['owner.company_id', 'owner.company_role', 'owner.max_doc_size'])
    .select(['link.signerId', 'link.channel', 'link.endedAt']),
);

type SessionOwner = Omit<Person, 'from'>;

/** Whose session this is, if it has neither ended nor been revoked and the account is active. */
export async function findSessionOwner(ctx: Ctx, sessionId: string, userId: string): Promise<SessionOwner | null> {
  const [row] = await sessionOwner(ctx.db, asked(ctx, sessionId, userId));
  return row ? ownerOf(row, sessionId) : null;
}

/** The same, and what a signer's key opens, for whoever comes with both. */
export async function findOwnerAndLink(
  ctx: Ctx,
  { sessionId, userId, key }: { sessionId: string; userId: string; key: string },
): Promise<{ owner: SessionOwner | null; link: OpenedLink | null }> {
  const [row] = await ownerAndLink(ctx.db, { ...asked(ctx, sessionId, userId), key });
  if (!row) return { owner: null, link: null };
  const { signerId, channel, endedAt, ...owner } = row;
  return {
    owner: isThere(owner) ? ownerOf(owner, sessionId) : null,
    link: signerId === null || channel === null ? null : { signerId, channel, isEnded: endedAt !== null },
  };
}

const asked = (ctx: Ctx, sessionId: string, userId: string): AskedSession => ({
  sessionId,
  userId,
  singleSignOn: ctx.config.sso !== null,
  now: ctx.clock.now(),
});

type OwnerRow = Awaited<ReturnType<typeof sessionOwner>>[number];
/** As an outer join has it. */
const isThere = (row: { [Column in keyof OwnerRow]: OwnerRow[Column] | null }): row is OwnerRow => row.id !== null;

function ownerOf(row: OwnerRow, sessionId: string): SessionOwner {
  return {
    kind: 'person',
    userId: row.id,
    sessionId,
    email: row.email,
    firstName: row.first_name,
    authorities: row.authorities,
    langKey: row.lang_key,
    company:
      row.company_id === null || row.company_role === null
        ? null
        : { id: row.company_id, role: row.company_role, maxDocSize: row.max_doc_size },
  };
}

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
