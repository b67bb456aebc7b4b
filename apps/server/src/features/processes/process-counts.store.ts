import { sql } from 'kysely';
import type { Ctx } from '../../context.ts';

/** How many processes a person's lists show, and how many signatures were made in what they requested. */
export interface ProcessCounts {
  requested: number;
  received: number;
  /** Received ones that wait for the person. */
  pending: number;
  signatures: number;
  /** In any of the chosen sets; a process that is in several of them counts once. */
  listed(chosen: number): number;
}

/** The sets that a listed process is in for a person, as bits: what waits for them they have received. */
export const REQUESTED = 1;
export const RECEIVED = 2;
export const PENDING = 4;
/** What becomes of them. */
export const everySets: readonly number[] = [REQUESTED, RECEIVED, REQUESTED | RECEIVED, RECEIVED | PENDING, REQUESTED | RECEIVED | PENDING];

/** Of one person, from the numbers that every act keeps up with. */
export async function readCounts(ctx: Ctx, userId: string): Promise<ProcessCounts> {
  const { rows } = await sql<{ counted: number; amount: number }>`
    select counted, sum(amount)::bigint as amount from process_count where user_id = ${userId} group by counted`.execute(ctx.db);
  const sum = (chosen: (counted: number) => boolean) =>
    rows.reduce((total, { counted, amount }) => (chosen(counted) ? total + amount : total), 0);
  const listed = (chosen: number) => sum((counted) => (counted & chosen) !== 0);
  return {
    requested: listed(REQUESTED),
    received: listed(RECEIVED),
    pending: listed(PENDING),
    signatures: sum((counted) => counted === 0),
    listed,
  };
}

const FOLDED_AT_ONCE = 5000;

/** Makes one row of many, some at a time; true while there are more. Whoever reads meanwhile finds the same sum. */
export async function foldCounts(ctx: Ctx): Promise<boolean> {
  const { rows } = await sql<{ taken: number }>`
    with fresh as (
      delete from process_count where ctid = any(array(
        select ctid from process_count where not folded limit ${FOLDED_AT_ONCE} for update skip locked))
      returning user_id, counted, amount
    ), before as (
      delete from process_count c using (select distinct user_id, counted from fresh) f
      where c.folded and c.user_id = f.user_id and c.counted = f.counted
      returning c.user_id, c.counted, c.amount
    ), folded as (
      insert into process_count (user_id, counted, amount, folded)
      select user_id, counted, sum(amount), true from (table fresh union all table before) as parts
      group by user_id, counted having sum(amount) <> 0
    )
    select count(*) as taken from fresh`.execute(ctx.db);
  return rows[0]?.taken === FOLDED_AT_ONCE;
}

/** Sets right what differs from the rows that are counted, in one statement: every act changes both at once. Answers how many numbers did. */
export async function recount(ctx: Ctx): Promise<number> {
  const { rows } = await sql<{ differed: number }>`
    with truth as (
      select user_id, sets as counted, count(*) as amount from listed_process group by user_id, sets
      union all
      select p.owner_id, 0, count(*) from signature s join signature_process p on p.id = s.signature_process_id
      where s.status = 'SIGNED' group by p.owner_id
    ), told as (
      select user_id, counted, sum(amount) as amount from process_count group by user_id, counted
    ), mended as (
      insert into process_count (user_id, counted, amount)
      select user_id, counted, coalesce(truth.amount, 0) - coalesce(told.amount, 0)
      from truth full join told using (user_id, counted)
      where coalesce(truth.amount, 0) <> coalesce(told.amount, 0)
      returning 1
    )
    select count(*) as differed from mended`.execute(ctx.db);
  return rows[0]?.differed ?? 0;
}
