import { createHash } from 'node:crypto';
import { DomainError } from '@lavra/domain';
import { sql } from 'kysely';
import type { Ctx } from '../context.ts';

/**
 * Counts an attempt in a fixed window, over all nodes; subjects (addresses, e-mails) are kept as hashes.
 * @throws DomainError request.tooMany past `limit`
 */
export async function limitRate(ctx: Ctx, name: string, subject: string, limit: number, windowSeconds: number): Promise<void> {
  if ((await countAttempt(ctx, name, subject, windowSeconds)) > limit) throw new DomainError('request.tooMany');
}

function bucketOf(name: string, subject: string): string {
  return `${name}:${createHash('sha256').update(subject).digest('base64url')}`;
}

function windowStart(now: Date, windowSeconds: number): Date {
  return new Date(Math.floor(now.getTime() / (windowSeconds * 1000)) * windowSeconds * 1000);
}

/** Adds one and answers the count of the current window. */
export async function countAttempt(ctx: Ctx, name: string, subject: string, windowSeconds: number): Promise<number> {
  const row = await ctx.db
    .insertInto('rate_limit')
    .values({ bucket: bucketOf(name, subject), window_start: windowStart(ctx.clock.now(), windowSeconds), count: 1 })
    .onConflict((conflict) => conflict.columns(['bucket', 'window_start']).doUpdateSet({ count: sql`rate_limit.count + 1` }))
    .returning('count')
    .executeTakeFirstOrThrow();
  return row.count;
}

/** Takes one back: it turned out to be none of what is limited. */
export async function forgiveAttempt(ctx: Ctx, name: string, subject: string): Promise<void> {
  await ctx.db
    .updateTable('rate_limit')
    .set({ count: sql`greatest(count - 1, 0)` })
    .where('bucket', '=', bucketOf(name, subject))
    .execute();
}

export async function clearAttempts(ctx: Ctx, name: string, subject: string): Promise<void> {
  await ctx.db.deleteFrom('rate_limit').where('bucket', '=', bucketOf(name, subject)).execute();
}

/** Shuts a door from now on; a shut one stays shut from its last moment. */
export async function lock(ctx: Ctx, name: string, subject: string): Promise<void> {
  await ctx.db
    .insertInto('rate_limit')
    .values({ bucket: bucketOf(`${name}-locked`, subject), window_start: ctx.clock.now(), count: 1 })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Seconds until every one of the given doors is open again; 0 when they are. */
export async function lockedFor(ctx: Ctx, doors: readonly { name: string; subject: string }[], lockSeconds: number): Promise<number> {
  const now = ctx.clock.now();
  const row = await ctx.db
    .selectFrom('rate_limit')
    .select((e) => e.fn.max('window_start').as('since'))
    .where(
      'bucket',
      'in',
      doors.map(({ name, subject }) => bucketOf(`${name}-locked`, subject)),
    )
    .where('window_start', '>', new Date(now.getTime() - lockSeconds * 1000))
    .executeTakeFirst();
  return row?.since ? lockSeconds - Math.floor((now.getTime() - row.since.getTime()) / 1000) : 0;
}
