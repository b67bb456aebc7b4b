import type { AccountPermission } from '@lavra/domain';
import type { Ctx } from '../../../context.ts';

/** What the provider of single sign-on vouches for, of one session. */
export interface Vouch {
  provider: string;
  subject: string;
  permissions: readonly AccountPermission[];
  /** The provider's tokens, sealed; null: it gave none to ask again with. */
  sealed: Buffer | null;
  until: Date;
}

export async function insertSsoSession(
  tx: Ctx,
  sessionId: string,
  { provider, subject, permissions, sealed, until }: Vouch,
): Promise<void> {
  await tx.db
    .insertInto('sso_session')
    .values({ session_id: sessionId, provider, subject, permissions: [...permissions], sealed, vouched_until: until })
    .execute();
}

/** With until when somebody asks the provider; null: nobody does. */
export async function findVouch(ctx: Ctx, sessionId: string): Promise<(Vouch & { askedUntil: Date | null }) | undefined> {
  return ctx.db
    .selectFrom('sso_session')
    .select(['provider', 'subject', 'permissions', 'sealed', 'vouched_until as until', 'asked_until as askedUntil'])
    .where('session_id', '=', sessionId)
    .executeTakeFirst();
}

/** What the provider of single sign-on said a session may do; null: it was opened without one. */
export async function findGranted(ctx: Ctx, sessionId: string): Promise<readonly AccountPermission[] | null> {
  const row = await ctx.db.selectFrom('sso_session').select('permissions').where('session_id', '=', sessionId).executeTakeFirst();
  return row?.permissions ?? null;
}

/** True for the one who asks the provider now about what was seen; a program that died while asking holds the others up until then. */
export async function claimAsking(ctx: Ctx, sessionId: string, { seen, until }: { seen: Date; until: Date }): Promise<boolean> {
  const written = await ctx.db
    .updateTable('sso_session')
    .set({ asked_until: until })
    .where('session_id', '=', sessionId)
    .where('vouched_until', '=', seen)
    .where((e) => e.or([e('asked_until', 'is', null), e('asked_until', '<=', ctx.clock.now())]))
    .executeTakeFirst();
  return Number(written.numUpdatedRows) === 1;
}

export async function endAsking(ctx: Ctx, sessionId: string): Promise<void> {
  await ctx.db.updateTable('sso_session').set({ asked_until: null }).where('session_id', '=', sessionId).execute();
}

/** What the provider has just said, in place of what it said before. */
export async function updateVouch(
  tx: Ctx,
  sessionId: string,
  { permissions, sealed, until }: Omit<Vouch, 'provider' | 'subject'>,
): Promise<void> {
  await tx.db
    .updateTable('sso_session')
    .set({ permissions: [...permissions], sealed, vouched_until: until, asked_until: null })
    .where('session_id', '=', sessionId)
    .execute();
}

/** The provider's tokens are of no use to a session that is over. */
export async function forgetVouch(tx: Ctx, sessionId: string): Promise<void> {
  await tx.db.deleteFrom('sso_session').where('session_id', '=', sessionId).execute();
}
