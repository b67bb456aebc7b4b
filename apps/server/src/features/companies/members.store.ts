import { type CompanyRole, DomainError } from '@lavra/domain';
import { type Expression, sql } from 'kysely';
import type { Ctx } from '../../context.ts';
import { accountParts } from '../accounts/find-account.ts';

export interface Member {
  userId: string;
  companyId: string;
  role: CompanyRole;
  joinedAt: Date;
}

function selectMember(ctx: Ctx) {
  return ctx.db.selectFrom('company_member').select(['user_id as userId', 'company_id as companyId', 'role', 'joined_at as joinedAt']);
}

/** In the order in which they joined; `isActive`: their account can be entered. */
export async function listMembers(ctx: Ctx, companyId: string): Promise<(Member & { isActive: boolean })[]> {
  const isActive = accountParts.isOpen(sql.ref('company_member.user_id')).as('isActive');
  return selectMember(ctx).select(isActive).where('company_id', '=', companyId).orderBy('joined_at').orderBy('user_id').execute();
}

/** Where an account belongs; undefined: nowhere. */
export async function findMember(ctx: Ctx, userId: string): Promise<Member | undefined> {
  return selectMember(ctx).where('user_id', '=', userId).executeTakeFirst();
}

/** SQL for the same as JSON (the account's id as SQL as well); null: nowhere. */
export function membershipJson(userId: Expression<string>) {
  return sql<{ companyId: string; joinedAt: string } | null>`(
    select json_build_object('companyId', company_id, 'joinedAt', joined_at) from company_member where user_id = ${userId})`;
}

/** @throws DomainError company.alreadyMember: an account belongs to one company */
export async function insertMember(tx: Ctx, member: { companyId: string; userId: string; role: CompanyRole }): Promise<void> {
  const written = await tx.db
    .insertInto('company_member')
    .values({ company_id: member.companyId, user_id: member.userId, role: member.role, joined_at: tx.clock.now() })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (Number(written.numInsertedOrUpdatedRows ?? 0) !== 1) throw new DomainError('company.alreadyMember');
}

export async function setRole(tx: Ctx, userId: string, role: CompanyRole): Promise<void> {
  await tx.db.updateTable('company_member').set({ role }).where('user_id', '=', userId).execute();
}

/** Those of the accounts that belonged to a company: since when, and the days that it keeps what they sent; null: without end. */
export async function deleteMembers(tx: Ctx, userIds: readonly string[]): Promise<{ userId: string; since: Date; days: number | null }[]> {
  const { rows } = await sql<{ userId: string; since: Date; days: number | null }>`
    delete from company_member m using company c where c.id = m.company_id and m.user_id = any(${userIds}::uuid[])
    returning m.user_id as "userId", m.joined_at as since, c.max_time as days`.execute(tx.db);
  return rows;
}

/** How long a company keeps what its members sent since they joined it; `until`: what they had sent when they left it. */
export interface MemberRetention {
  ownerId: string;
  since: Date;
  until: Date | null;
  days: number;
}

/** Members of companies that keep files for some days only, by account, after `after`; or this account alone. */
export async function listRetentions(
  ctx: Ctx,
  asked: { after: string | null; limit: number } | { ownerId: string },
): Promise<MemberRetention[]> {
  const which =
    'ownerId' in asked ? sql`m.user_id = ${asked.ownerId}` : sql`${asked.after}::uuid is null or m.user_id > ${asked.after}::uuid`;
  const { rows } = await sql<MemberRetention>`
    select m.user_id as "ownerId", m.joined_at as since, null as until, c.max_time as days
    from company_member m join company c on c.id = m.company_id
    where c.max_time is not null and (${which}) order by m.user_id limit ${'limit' in asked ? asked.limit : 1}`.execute(ctx.db);
  return rows;
}

/** What somebody sent as a member of a company that they have left is kept for so many days. */
export async function insertPastMemberships(tx: Ctx, kept: readonly { userId: string; since: Date; days: number }[]): Promise<void> {
  if (kept.length === 0) return;
  const until = tx.clock.now();
  await tx.db
    .insertInto('past_membership')
    .values(kept.map(({ userId, since, days }) => ({ user_id: userId, since, until, days })))
    .execute();
}

/** Everybody's, after `after`, in their order; or this account's alone. */
export async function listPastRetentions(
  ctx: Ctx,
  asked: { after: number | null; limit: number } | { ownerId: string },
): Promise<(MemberRetention & { id: number; until: Date })[]> {
  const kept = ctx.db.selectFrom('past_membership').select(['id', 'user_id as ownerId', 'since', 'until', 'days']).orderBy('id');
  if ('ownerId' in asked) return kept.where('user_id', '=', asked.ownerId).execute();
  return (asked.after === null ? kept : kept.where('id', '>', asked.after)).limit(asked.limit).execute();
}
