import { type AuditEvent, auditListMost } from '@lavra/api';
import { DomainError, limits } from '@lavra/domain';
import type { Person } from '../../access/actor.ts';
import { countEvents, type EventsAsked, listEvents } from '../../audit/audit.store.ts';
import type { Ctx } from '../../context.ts';
import { listRecords } from '../../entities/records.ts';
import { findAccountNames } from './accounts.store.ts';
import { userRows } from './administered-users.store.ts';

/** More people than that are no person that somebody looks for. */
const PEOPLE_MOST = 100;
/** An entity's record, as the log names it. */
const RECORD = /^[a-z-]+(\/[a-z-]+)*\/[0-9a-f-]+$/;
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

export interface AuditAsked extends Omit<EventsAsked, 'about' | 'from' | 'to'> {
  page?: number | undefined;
  size?: number | undefined;
  query?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

/** The security log, with the names of those whom its rows know by id. @throws DomainError request.invalid: past what is listed */
export async function listAuditEvents(ctx: Ctx, actor: Person, given: AuditAsked): Promise<{ items: AuditEvent[]; total: number }> {
  const { page = 0, size = limits.entityPageSize, query = '', kind, outcome, from, to } = given;
  if (page * size >= auditListMost) throw new DomainError('request.invalid', { field: 'page' });
  const asked = {
    kind,
    outcome,
    from: from === undefined ? undefined : new Date(from),
    to: to === undefined ? undefined : new Date(to),
    about: query.trim() === '' ? undefined : await aboutOf(ctx, actor, query.trim().toLowerCase()),
  };
  // Nobody is called so.
  if (asked.about?.accountIds.length === 0 && asked.about.subjects.length === 0) return { items: [], total: 0 };
  const total = await countEvents(ctx, asked, auditListMost);
  const rows = await listEvents(ctx, asked, { limit: size, offset: page * size });
  const names = await namesOf(
    ctx,
    rows.flatMap(({ accountId, subjectId }) => [accountId ?? '', accountIn(subjectId) ?? '']),
  );
  const items = rows.map(({ at, subjectId, ...row }) => ({
    ...row,
    at: at.toISOString(),
    account: names.get(row.accountId ?? '') ?? null,
    subject: subjectId,
    subjectAccount: names.get(accountIn(subjectId) ?? '') ?? null,
  }));
  return { items, total };
}

/** The people that the words name, and what an id names. */
async function aboutOf(ctx: Ctx, actor: Person, words: string): Promise<NonNullable<EventsAsked['about']>> {
  const id = UUID.exec(words)?.[0];
  if (RECORD.test(words)) return { accountIds: [], subjects: [words] };
  const accountIds = id === undefined ? await peopleOf(ctx, actor, words) : [id];
  return { accountIds, subjects: accountIds.flatMap((one) => [one, `admin/users/${one}`]) };
}

async function peopleOf(ctx: Ctx, actor: Person, words: string): Promise<string[]> {
  const { items } = await listRecords(ctx, actor, userRows, { query: words, size: PEOPLE_MOST });
  return items.map(({ id }) => id);
}

/** An account as a subject: its id alone, or as the record that was written. */
function accountIn(subjectId: string | null): string | null {
  return /^(?:admin\/users\/)?([0-9a-f-]{36})$/.exec(subjectId ?? '')?.[1] ?? null;
}

async function namesOf(ctx: Ctx, ids: readonly string[]) {
  const found = await findAccountNames(ctx, [...new Set(ids.filter((id) => id !== ''))]);
  return new Map(found.map(({ id, email, firstName, lastName }) => [id, { id, email, name: `${firstName} ${lastName}`.trim() }]));
}
