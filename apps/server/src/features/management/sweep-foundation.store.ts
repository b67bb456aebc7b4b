import type { Ctx } from '../../context.ts';

const DAY_MS = 24 * 3_600_000;

/** Deletes what has done its work; how long each kind is kept stands here. */
export async function deleteOutdated(ctx: Ctx): Promise<void> {
  const before = (days: number) => new Date(ctx.clock.now().getTime() - days * DAY_MS);
  await ctx.db.deleteFrom('rate_limit').where('window_start', '<', before(1)).execute();
  await ctx.db.deleteFrom('account_limit').where('window_start', '<', before(1)).execute();
  await ctx.db.deleteFrom('idempotency_key').where('created_at', '<', before(2)).execute();
  await ctx.db.deleteFrom('account_key').where('expires_at', '<', before(30)).execute();
  await ctx.db.deleteFrom('session').where('expires_at', '<', before(30)).execute();
  await ctx.db.deleteFrom('known_device').where('last_seen_at', '<', before(180)).execute();
  // Of browsers that no account signed in with: an activation key, which may need them, lives three days.
  await ctx.db
    .deleteFrom('device')
    .where('rotated_at', '<', before(4))
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('known_device').select('device_id').whereRef('known_device.device_id', '=', 'device.id'))),
    )
    .execute();
  // The trigger lets a year's rows go, by the database's clock; a day of grace for ours.
  await ctx.db.deleteFrom('audit_event').where('at', '<', before(366)).execute();
  await ctx.db.deleteFrom('outside_answer').where('expires_at', '<', before(0)).execute();
  // An authority that nobody has signed or verified with for a year is learnt anew when somebody does.
  await ctx.db.deleteFrom('revocation_list_address').where('seen_at', '<', before(366)).execute();
  // What it said went when it was delivered; that it was, and to whom, is nobody's business for ever.
  await ctx.db
    .deleteFrom('mail')
    .where((eb) => eb.fn.coalesce('sent_at', 'failed_at'), '<', before(30))
    .execute();
}
