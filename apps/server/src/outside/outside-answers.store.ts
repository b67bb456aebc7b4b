import { sql } from 'kysely';
import type { Ctx } from '../context.ts';
import { LeastRecent } from '../storage/least-recent.ts';

/** All kept answers together; the oldest go first. */
const KEPT_BYTES = 256 * 1024 * 1024;

export interface KeptAnswer {
  body: Uint8Array;
  fetchedAt: Date;
}

/** Answers that this program has read from the table lately: a job asks for each of them up to nine times. */
const READ_BYTES = 8 * 1024 * 1024;
/** What another node has fetched meanwhile shows after this long. */
const READ_MS = 60_000;
const read = new WeakMap<Ctx['config'], LeastRecent<KeptAnswer & { readAt: Date; expiresAt: Date }>>();

function readBy({ config }: Ctx): LeastRecent<KeptAnswer & { readAt: Date; expiresAt: Date }> {
  const known = read.get(config) ?? new LeastRecent(READ_BYTES);
  read.set(config, known);
  return known;
}

/** The answer kept for a question, unless its time is over. */
export async function findAnswer(ctx: Ctx, key: string): Promise<KeptAnswer | null> {
  const now = ctx.clock.now();
  const known = readBy(ctx).get(key);
  if (known && known.readAt <= now && now.getTime() - known.readAt.getTime() < READ_MS) return known.expiresAt > now ? known : null;
  const row = await ctx.db
    .selectFrom('outside_answer')
    .select(['body', 'fetched_at', 'expires_at'])
    .where('key', '=', key)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  if (!row) return null;
  const answer = { body: new Uint8Array(row.body), fetchedAt: row.fetched_at, expiresAt: row.expires_at, readAt: now };
  readBy(ctx).set(key, answer, answer.body.length);
  return answer;
}

/** Keeps an answer in place of the one before, and lets go of the oldest where they have grown too many. */
export async function keepAnswer(
  ctx: Ctx,
  answer: { key: string; url: string; body: Uint8Array; expiresAt: Date },
  keptBytes = KEPT_BYTES,
): Promise<void> {
  const { key, url, body, expiresAt } = answer;
  readBy(ctx).delete(key);
  const values = { url, body: Buffer.from(body), size: body.length, fetched_at: ctx.clock.now(), expires_at: expiresAt };
  await ctx.db
    .insertInto('outside_answer')
    .values({ key, ...values })
    .onConflict((conflict) => conflict.column('key').doUpdateSet(values))
    .execute();
  const running = ctx.db
    .selectFrom('outside_answer')
    .select(['key', sql<number>`sum(size) over (order by fetched_at desc, key)`.as('with_newer')])
    .as('kept');
  await ctx.db
    .deleteFrom('outside_answer')
    .where('key', 'in', (eb) => eb.selectFrom(running).select('kept.key').where('kept.with_newer', '>', keptBytes))
    .execute();
}

export async function removeExpiredAnswers(ctx: Ctx, before: Date): Promise<void> {
  await ctx.db.deleteFrom('outside_answer').where('expires_at', '<', before).execute();
}
