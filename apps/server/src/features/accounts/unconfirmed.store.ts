import type { Ctx } from '../../context.ts';

/** Accounts that somebody registered and nobody confirmed, of before, to whom no good key leads any more; so many at once. */
export async function findForgotten(ctx: Ctx, before: Date, most: number): Promise<readonly string[]> {
  const rows = await ctx.db
    .selectFrom('app_user')
    .select('id')
    .where('activated', '=', false)
    .where('deactivated_at', 'is', null)
    // What an administrator made waits until they remove it.
    .where('created_by', 'is', null)
    .where('created_at', '<', before)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('account_key')
            .select('key_hash')
            .whereRef('account_key.user_id', '=', 'app_user.id')
            .where('used_at', 'is', null)
            .where('expires_at', '>', ctx.clock.now()),
        ),
      ),
    )
    .orderBy('created_at')
    .limit(most)
    .execute();
  return rows.map(({ id }) => id);
}

/** Removes an account that nobody has confirmed, with its keys; false when it is none (any more). Nobody ever entered it: nothing is its own. */
export async function removeUnconfirmed(tx: Ctx, which: { id: string } | { email: string }): Promise<boolean> {
  const found = await tx.db
    .selectFrom('app_user')
    .select('id')
    .where('activated', '=', false)
    .where('deactivated_at', 'is', null)
    .where((e) => ('id' in which ? e('id', '=', which.id) : e('email', '=', which.email)))
    .forUpdate()
    .executeTakeFirst();
  if (!found) return false;
  await tx.db.deleteFrom('account_key').where('user_id', '=', found.id).execute();
  await tx.db.deleteFrom('app_user').where('id', '=', found.id).execute();
  return true;
}
