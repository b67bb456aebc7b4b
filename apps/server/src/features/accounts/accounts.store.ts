import type { Insertable } from 'kysely';
import { sql } from 'kysely';
import type { Ctx } from '../../context.ts';
import type { AppUserTable } from '../../db/tables.ts';

export async function findUserByEmail(ctx: Ctx, email: string) {
  return ctx.db.selectFrom('app_user').selectAll().where('email', '=', email).executeTakeFirst();
}

export async function findUserById(ctx: Ctx, id: string) {
  return ctx.db.selectFrom('app_user').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function hasAnyUser(ctx: Ctx): Promise<boolean> {
  return (await ctx.db.selectFrom('app_user').select('id').limit(1).executeTakeFirst()) !== undefined;
}

/** Two first registrations at once must not both become administrator: the rest of the transaction runs alone. */
export async function lockRegistration(tx: Ctx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('lavra:registration'))`.execute(tx.db);
}

/** False when the e-mail is taken. */
export async function insertUser(tx: Ctx, user: Insertable<AppUserTable>): Promise<boolean> {
  const written = await tx.db
    .insertInto('app_user')
    .values(user)
    .onConflict((conflict) => conflict.column('email').doNothing())
    .executeTakeFirst();
  return Number(written.numInsertedOrUpdatedRows ?? 0) === 1;
}

export async function insertKey(
  tx: Ctx,
  key: { hash: string; userId: string; purpose: 'activation' | 'reset'; expiresAt: Date },
): Promise<void> {
  await tx.db
    .insertInto('account_key')
    .values({ key_hash: key.hash, user_id: key.userId, purpose: key.purpose, expires_at: key.expiresAt })
    .execute();
}

/** Takes a key that is still good, once; the user's id, or undefined. */
export async function useKey(tx: Ctx, hash: string, purpose: 'activation' | 'reset'): Promise<string | undefined> {
  const row = await tx.db
    .updateTable('account_key')
    .set({ used_at: tx.clock.now() })
    .where('key_hash', '=', hash)
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .where('expires_at', '>', tx.clock.now())
    .returning('user_id')
    .executeTakeFirst();
  return row?.user_id;
}

export async function activateUser(tx: Ctx, id: string): Promise<void> {
  await tx.db.updateTable('app_user').set({ activated: true }).where('id', '=', id).execute();
}

export async function setPassword(tx: Ctx, id: string, passwordHash: string): Promise<void> {
  await tx.db.updateTable('app_user').set({ password_hash: passwordHash }).where('id', '=', id).execute();
}

export async function updateProfile(
  tx: Ctx,
  id: string,
  profile: { firstName: string; lastName: string; langKey: 'pt-br' | 'en' | 'es' },
): Promise<void> {
  await tx.db
    .updateTable('app_user')
    .set({ first_name: profile.firstName, last_name: profile.lastName, lang_key: profile.langKey })
    .where('id', '=', id)
    .execute();
}

export async function insertSession(tx: Ctx, session: { id: string; userId: string; expiresAt: Date; userAgent: string }): Promise<void> {
  await tx.db
    .insertInto('session')
    .values({
      id: session.id,
      user_id: session.userId,
      created_at: tx.clock.now(),
      expires_at: session.expiresAt,
      user_agent: session.userAgent,
    })
    .execute();
}

export async function revokeSession(ctx: Ctx, id: string): Promise<void> {
  await ctx.db.updateTable('session').set({ revoked_at: ctx.clock.now() }).where('id', '=', id).where('revoked_at', 'is', null).execute();
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
