import type { AuditKind } from '@lavra/api';
import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../context.ts';
import { addressSubjects } from '../access/client-address.ts';
import { countAttempt } from '../access/limits.store.ts';
import { loggerFor } from '../loggers.ts';

export interface AuditEntry {
  kind: AuditKind;
  outcome: 'success' | 'failure' | 'refused';
  /** A code. */
  reason?: string;
  accountId?: string | null;
  /** Process, document, session, or an entity's record (`contract-types/3`); never a signer, whose id is a key. */
  subjectId?: string | null;
  /** Of a change: the fields, before and after. */
  details?: Record<string, unknown>;
  /** The client's address; kept as a pseudonym of its network that changes every day. */
  ip?: string;
}

/**
 * Writes the security log: a row in the transaction of the act, and a line. Ids only; the line leaves the subject out,
 * because a process's id opens its page.
 */
export async function recordAudit(ctx: Ctx, entry: AuditEntry): Promise<void> {
  const at = ctx.clock.now();
  const row = {
    at,
    kind: entry.kind,
    outcome: entry.outcome,
    reason: entry.reason ?? null,
    account_id: entry.accountId ?? null,
    subject_id: entry.subjectId ?? null,
    source: entry.ip === undefined ? null : sourceOf(ctx, entry.ip, at),
    details: entry.details ? JSON.stringify(entry.details) : null,
  };
  const { id } = await ctx.db.insertInto('audit_event').values(row).returning('id').executeTakeFirstOrThrow();
  const { kind, outcome, reason, account_id: account, source } = row;
  loggerFor(ctx.log, 'audit').info({ audit: { id, kind, outcome, reason, account, source } }, 'audit');
}

const REFUSALS_PER_SOURCE = 100;
const WINDOW_SECONDS = 900;

/** The same for what strangers can cause at will: from one network a hundred in a quarter of an hour, the rest is not written. */
export async function recordRefusal(ctx: Ctx, entry: AuditEntry & { ip: string }): Promise<void> {
  for (const { subject, share } of addressSubjects(entry.ip))
    if ((await countAttempt(ctx, 'audit', subject, WINDOW_SECONDS)) > REFUSALS_PER_SOURCE * share) return;
  await recordAudit(ctx, entry);
}

/** Tells two networks apart within a day; nobody without the installation secret finds the address again. */
function sourceOf(ctx: Ctx, ip: string, at: Date): string {
  const network = addressSubjects(ip)[0]?.subject ?? '';
  return ctx.secrets
    .sign('audit-source', `${at.toISOString().slice(0, 10)} ${network}`)
    .toString('base64url')
    .slice(0, 12);
}

/** The table's trigger lets go what is older than a year, by the clock that wrote it: ours. */
export async function removeOldEvents(ctx: Ctx, before: Date): Promise<void> {
  await ctx.transaction(async (tx) => {
    await sql`select set_config('lavra.now', ${tx.clock.now().toISOString()}, true)`.execute(tx.db);
    await tx.db.deleteFrom('audit_event').where('at', '<', before).execute();
  });
}

/** What is looked for. */
export interface EventsAsked {
  kind?: AuditKind | undefined;
  outcome?: AuditEntry['outcome'] | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
  /** These accounts' acts and those on them, or on these subjects; left out: everything. */
  about?: { accountIds: readonly string[]; subjects: readonly string[] } | undefined;
}

/**
 * SQL for the newest `most` of what is asked for, newest first. Who and what it is about are looked up one by one, each in its own
 * index's order: asked for together, all that ever happened to them would be read and sorted.
 */
function newest({ kind, outcome, from, to, about }: EventsAsked, most: number): RawBuilder<{ id: number; at: Date }> {
  const asked = [
    ...(kind ? [sql`kind = ${kind}`] : []),
    // Written out: an index knows of what did not succeed, and a plan for any outcome would not use it.
    ...(outcome ? [sql`outcome = ${sql.lit(outcome)}`] : []),
    ...(from ? [sql`at >= ${from}`] : []),
    ...(to ? [sql`at < ${to}`] : []),
  ];
  const where = (conditions: readonly RawBuilder<unknown>[]) =>
    conditions.length === 0 ? sql`` : sql`where ${sql.join([...conditions], sql` and `)}`;
  const first = (conditions: readonly RawBuilder<unknown>[]) =>
    sql`select id, at from audit_event ${where(conditions)} order by at desc, id desc limit ${sql.lit(most)}`;
  if (!about) return sql`${first(asked)}`;
  const each = (ids: RawBuilder<unknown>, column: RawBuilder<unknown>) => sql`
    select found.id, found.at from ${ids} as one (id) cross join lateral (${first([sql`${column} = one.id`, ...asked])}) found`;
  const parts = [
    each(sql`unnest(${about.accountIds}::uuid[])`, sql`account_id`),
    each(sql`unnest(${about.subjects}::text[])`, sql`subject_id`),
  ];
  return sql`select id, at from (${sql.join(parts, sql` union `)}) as parts order by at desc, id desc limit ${sql.lit(most)}`;
}

export interface ListedEvent extends Pick<AuditEntry, 'outcome'> {
  id: number;
  at: Date;
  kind: string;
  reason: string | null;
  accountId: string | null;
  subjectId: string | null;
  source: string | null;
  details: Record<string, unknown> | null;
}

/** One page, newest first. */
export async function listEvents(
  ctx: Ctx,
  asked: EventsAsked,
  { limit, offset }: { limit: number; offset: number },
): Promise<ListedEvent[]> {
  const { rows } = await sql<ListedEvent>`
    select id, e.at, kind, outcome, reason, account_id as "accountId", subject_id as "subjectId", source, details
    from (select id from (${newest(asked, offset + limit)}) as found order by at desc, id desc offset ${offset}) as page join audit_event e using (id)
    order by e.at desc, id desc`.execute(ctx.db);
  return rows;
}

/** How many there are, counted as far as `most`. */
export async function countEvents(ctx: Ctx, asked: EventsAsked, most: number): Promise<number> {
  const { rows } = await sql<{ total: number }>`select count(*) as total from (${newest(asked, most)}) as found`.execute(ctx.db);
  return rows[0]?.total ?? 0;
}
