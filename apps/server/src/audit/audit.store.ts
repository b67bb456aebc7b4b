import type { AuditKind } from '@lavra/api';
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

export async function removeOldEvents(ctx: Ctx, before: Date): Promise<void> {
  await ctx.db.deleteFrom('audit_event').where('at', '<', before).execute();
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

function eventsAsked(ctx: Ctx, { kind, outcome, from, to, about }: EventsAsked) {
  let asked = ctx.db.selectFrom('audit_event');
  if (kind) asked = asked.where('kind', '=', kind);
  if (outcome) asked = asked.where('outcome', '=', outcome);
  if (from) asked = asked.where('at', '>=', from);
  if (to) asked = asked.where('at', '<', to);
  if (about) {
    const { accountIds, subjects } = about;
    asked = asked.where((e) => {
      const by = accountIds.length === 0 ? [] : [e('account_id', 'in', accountIds)];
      return e.or([...by, ...(subjects.length === 0 ? [] : [e('subject_id', 'in', subjects)])]);
    });
  }
  return asked;
}

/** One page, newest first. */
export async function listEvents(ctx: Ctx, asked: EventsAsked, { limit, offset }: { limit: number; offset: number }) {
  return eventsAsked(ctx, asked)
    .select(['id', 'at', 'kind', 'outcome', 'reason', 'account_id as accountId', 'subject_id as subjectId', 'source', 'details'])
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
}

/** How many there are, counted as far as `most`. */
export async function countEvents(ctx: Ctx, asked: EventsAsked, most: number): Promise<number> {
  const { total } = await ctx.db
    .selectFrom(eventsAsked(ctx, asked).select('id').limit(most).as('found'))
    .select((e) => e.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return total;
}
