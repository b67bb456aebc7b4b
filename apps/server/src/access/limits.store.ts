import { createHash } from 'node:crypto';
import { type LimitName, type RateLimit, rateLimits } from '@lavra/api';
import { DomainError } from '@lavra/domain';
import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../context.ts';
import type { Write } from '../db/at-once.ts';
import { keptStatement } from '../db/kept-statement.ts';
import { addressSubjects } from './client-address.ts';

/**
 * Limits that guard accounts outlive a crash of the database: their counters are logged. The others may be forgotten,
 * and cost a visitor's request no write to the log.
 */
function tableOf(name: string): 'account_limit' | 'rate_limit' {
  const limit: RateLimit | undefined = rateLimits[name as LimitName];
  return limit?.guards ? 'account_limit' : 'rate_limit';
}

type Bound = Pick<RateLimit, 'most' | 'seconds'>;

/**
 * Rate limit: counts an attempt in a fixed window, over all nodes; subjects (addresses, e-mails) are kept as hashes.
 * @throws DomainError request.tooMany past the limit of that name
 */
export async function limitRate(ctx: Ctx, name: LimitName, subject: string, { most, seconds }: Bound = rateLimits[name]): Promise<void> {
  if ((await countAttempt(ctx, name, subject, seconds)) > most) throw new DomainError('request.tooMany');
}

/**
 * The same for a client's address, which is counted by `addressSubjects`: every limit by address goes through here.
 * @throws DomainError request.tooMany past the limit of that name
 */
export async function limitRateByAddress(
  ctx: Ctx,
  name: LimitName,
  ip: string,
  { most, seconds }: Bound = rateLimits[name],
): Promise<void> {
  await limitAttempts(ctx, ofAddress(name, ip, { most, seconds }));
}

/** The same as a part of a statement, named `attempt`, and whether what it counts may be done, for its other parts. */
export function attemptWrite(ctx: Ctx, name: LimitName, subject: string): { write: Write; isWithin: RawBuilder<boolean> } {
  const { most, seconds } = rateLimits[name];
  const query = countingAttempts(ctx.db, tableOf(name), {
    buckets: [bucketOf(name, subject)],
    starts: [windowStart(ctx.clock.now(), seconds).toISOString()],
  });
  return {
    write: { as: 'attempt', query, isRead: true },
    isWithin: sql<boolean>`exists (select from attempt where count <= ${most}::int)`,
  };
}

/** What is counted of one act, and how often it may come. */
interface Attempted extends Bound {
  name: LimitName;
  subject: string;
}

function ofAddress(name: LimitName, ip: string, { most, seconds }: Bound): Attempted[] {
  return addressSubjects(ip).map(({ subject, share }) => ({ name, subject, most: most * share, seconds }));
}

/** An act that is counted by who does it and by where it comes from, at once. @throws DomainError request.tooMany past either */
export async function limitRateOfBoth(
  ctx: Ctx,
  who: { name: LimitName; subject: string },
  from: { name: LimitName; ip: string },
): Promise<void> {
  await limitAttempts(ctx, [{ ...who, ...rateLimits[who.name] }, ...ofAddress(from.name, from.ip, rateLimits[from.name])]);
}

async function limitAttempts(ctx: Ctx, attempts: readonly Attempted[]): Promise<void> {
  const counts = await countAttempts(ctx, attempts);
  if (attempts.some(({ most }, index) => (counts[index] ?? 0) > most)) throw new DomainError('request.tooMany');
}

/** What a call counts at its door, whatever it is about to do. @throws DomainError request.tooMany */
export async function limitAtDoor(ctx: Ctx, names: readonly LimitName[], who: { ip: string; accountId: string | null }): Promise<void> {
  const attempts = names.flatMap((name): Attempted[] => {
    const { by, at, ...bound } = rateLimits[name];
    if (at !== 'door') return [];
    if (by === 'address') return ofAddress(name, who.ip, bound);
    return who.accountId === null ? [] : [{ name, subject: who.accountId, ...bound }];
  });
  await limitAttempts(ctx, attempts);
}

function bucketOf(name: string, subject: string): string {
  return `${name}:${createHash('sha256').update(subject).digest('base64url')}`;
}

function windowStart(now: Date, windowSeconds: number): Date {
  return new Date(Math.floor(now.getTime() / (windowSeconds * 1000)) * windowSeconds * 1000);
}

/** Adds one and answers the count of the current window. */
export async function countAttempt(ctx: Ctx, name: string, subject: string, seconds: number): Promise<number> {
  const [count] = await countAttempts(ctx, [{ name, subject, seconds }]);
  if (count === undefined) throw new Error('an attempt was not counted');
  return count;
}

/** The same of several in one statement for each table that they stand in; answers in their order. */
async function countAttempts(ctx: Ctx, attempts: readonly { name: string; subject: string; seconds: number }[]): Promise<number[]> {
  const rows = attempts.map(({ name, subject, seconds }) => ({
    table: tableOf(name),
    bucket: bucketOf(name, subject),
    window_start: windowStart(ctx.clock.now(), seconds),
  }));
  const counts = new Map<string, number>();
  for (const table of new Set(rows.map((row) => row.table))) {
    // In one order, whoever counts: two that wait for each other's rows would wait for ever.
    const own = rows.filter((row) => row.table === table).toSorted((a, b) => (a.bucket < b.bucket ? -1 : 1));
    const counted = await counting[table](ctx.db, {
      buckets: own.map(({ bucket }) => bucket),
      starts: own.map(({ window_start }) => window_start.toISOString()),
    });
    for (const { bucket, count } of counted) counts.set(bucket, count);
  }
  return rows.map(({ bucket }) => counts.get(bucket) ?? 0);
}

interface Counting {
  buckets: readonly string[];
  starts: readonly string[];
}

/** In one text, however many are counted. */
function countingAttempts(db: Ctx['db'], table: ReturnType<typeof tableOf>, { buckets, starts }: Counting) {
  return db
    .insertInto(table)
    .columns(['bucket', 'window_start', 'count'])
    .expression(sql`select bucket, start, 1 from unnest(${buckets}::text[], ${starts}::timestamptz[]) as given (bucket, start)`)
    .onConflict((conflict) => conflict.columns(['bucket', 'window_start']).doUpdateSet({ count: sql`${sql.ref(`${table}.count`)} + 1` }))
    .returning(['bucket', 'count']);
}

const counting = {
  account_limit: keptStatement((db, given: Counting) => countingAttempts(db, 'account_limit', given)),
  rate_limit: keptStatement((db, given: Counting) => countingAttempts(db, 'rate_limit', given)),
};

/** Refunds an attempt: it turned out to be none of what is limited. */
export async function forgiveAttempt(ctx: Ctx, name: string, subject: string): Promise<void> {
  await ctx.db
    .updateTable(tableOf(name))
    .set({ count: sql`greatest(count - 1, 0)` })
    .where('bucket', '=', bucketOf(name, subject))
    .execute();
}

export async function clearAttempts(ctx: Ctx, name: string, subject: string): Promise<void> {
  await ctx.db.deleteFrom(tableOf(name)).where('bucket', '=', bucketOf(name, subject)).execute();
}

/** Shuts a door from now on; a shut one stays shut from its last moment. Locks guard accounts: they outlive a crash. */
export async function lock(ctx: Ctx, name: string, subject: string): Promise<void> {
  await ctx.db
    .insertInto('account_limit')
    .values({ bucket: bucketOf(`${name}-locked`, subject), window_start: ctx.clock.now(), count: 1 })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Seconds until every one of the given doors is open again; 0 when they are. */
export async function lockedFor(ctx: Ctx, doors: readonly { name: string; subject: string }[], lockSeconds: number): Promise<number> {
  const now = ctx.clock.now();
  const row = await ctx.db
    .selectFrom('account_limit')
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

export async function removeOldCounters(ctx: Ctx, before: Date): Promise<void> {
  await ctx.db.deleteFrom('rate_limit').where('window_start', '<', before).execute();
  await ctx.db.deleteFrom('account_limit').where('window_start', '<', before).execute();
}
