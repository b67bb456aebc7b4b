import type { Ctx } from '../context.ts';
import type { Person } from './actor.ts';

/** Whose session this is, if it has neither ended nor been revoked and the account is active. */
export async function findSessionOwner(ctx: Ctx, sessionId: string, userId: string): Promise<Omit<Person, 'from'> | null> {
  const row = await ctx.db
    .selectFrom('session')
    .innerJoin('app_user', 'app_user.id', 'session.user_id')
    .select(['app_user.id', 'app_user.email', 'app_user.first_name', 'app_user.authorities', 'app_user.lang_key'])
    .where('session.id', '=', sessionId)
    .where('session.user_id', '=', userId)
    .where('session.revoked_at', 'is', null)
    .where('session.expires_at', '>', ctx.clock.now())
    .where('app_user.activated', '=', true)
    .executeTakeFirst();
  if (!row) return null;
  return {
    kind: 'person',
    userId: row.id,
    sessionId,
    email: row.email,
    firstName: row.first_name,
    authorities: row.authorities,
    langKey: row.lang_key,
  };
}
