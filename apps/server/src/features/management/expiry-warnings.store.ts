import type { Ctx } from '../../context.ts';

/** Notes a warning; false when the same was given before. */
export async function enterWarning(tx: Ctx, { subject, endsAt, days }: { subject: string; endsAt: Date; days: number }): Promise<boolean> {
  const written = await tx.db
    .insertInto('expiry_warning')
    .values({ subject, ends_at: endsAt, days, told_at: tx.clock.now() })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return Number(written.numInsertedOrUpdatedRows ?? 0) === 1;
}

/** What ended before then is nobody's news any more. */
export async function removeOldWarnings(ctx: Ctx, before: Date): Promise<void> {
  await ctx.db.deleteFrom('expiry_warning').where('ends_at', '<', before).execute();
}
