import type { AccountPermission } from '@lavra/domain';
import type { Ctx } from '../../../context.ts';

/** What the provider of single sign-on said a session may do; null: it was opened without one. */
export async function findGranted(ctx: Ctx, sessionId: string): Promise<readonly AccountPermission[] | null> {
  const row = await ctx.db.selectFrom('sso_session').select('permissions').where('session_id', '=', sessionId).executeTakeFirst();
  return row?.permissions ?? null;
}
