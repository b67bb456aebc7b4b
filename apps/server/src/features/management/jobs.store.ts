import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../../context.ts';

export interface JobKindRow {
  name: string;
  waiting: number;
  active: number;
  failed: number;
  overdue: number;
  lastDoneAt: Date | null;
  /** Of the oldest that is due, by the database's clock; 0: none waits. */
  oldestSeconds: number;
}

/**
 * Every kind of job that a node declared, with what the queue keeps of it, counted as far as `most`; its own housekeeping is not ours
 * to tell. Each number is read from the queue's index of kinds and states (`jobs/queue.ts`): what was done is most of what is kept.
 */
export async function listKinds(ctx: Ctx, most: number): Promise<JobKindRow[]> {
  const counted = (condition: RawBuilder<unknown>) => sql`(
    select count(*)::int from (select from pgboss.job j where j.name = q.name and ${condition} limit ${sql.lit(most)}) as part_of_it)`;
  const { rows } = await sql<JobKindRow>`
    select q.name,
      ${counted(sql`j.state in ('created', 'retry')`)} as waiting,
      ${counted(sql`j.state = 'active'`)} as active,
      ${counted(sql`j.state = 'failed'`)} as failed,
      ${counted(sql`j.state in ('created', 'retry') and j.start_after < now() - interval '5 minutes'`)} as overdue,
      (select max(completed_on) from pgboss.job j where j.name = q.name and j.state = 'completed') as "lastDoneAt",
      coalesce((select extract(epoch from now() - min(j.start_after))::float8 from pgboss.job j
        where j.name = q.name and j.state in ('created', 'retry') and j.start_after < now()), 0) as "oldestSeconds"
    from pgboss.queue q where q.name not like '\\_\\_%' order by q.name`.execute(ctx.db);
  return rows;
}

export interface FailedJobRow {
  id: string;
  name: string;
  createdAt: Date;
  failedAt: Date | null;
  tries: number;
  message: string | null;
}

/** One page of them, the newest first. */
export async function listFailed(ctx: Ctx, { offset, limit }: { offset: number; limit: number }): Promise<FailedJobRow[]> {
  const { rows } = await sql<FailedJobRow>`
    select j.id, j.name, j.created_on as "createdAt", j.completed_on as "failedAt", j.retry_count + 1 as tries, j.output ->> 'message' as message
    from pgboss.queue q cross join lateral (
      select * from pgboss.job where name = q.name and state = 'failed' order by completed_on desc limit ${sql.lit(offset + limit)}
    ) j
    order by j.completed_on desc nulls last, j.id offset ${offset} limit ${limit}`.execute(ctx.db);
  return rows;
}

/** How many there are, counted as far as `most`. */
export async function countFailed(ctx: Ctx, most: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from pgboss.queue q cross join lateral (
        select from pgboss.job where name = q.name and state = 'failed' limit ${sql.lit(most)}) j
      limit ${sql.lit(most)}) as part_of_it`.execute(ctx.db);
  return rows[0]?.count ?? 0;
}

/** Has a job that waits for its next try run now. */
export async function hurry(tx: Ctx, { name, key }: { name: string; key: string }): Promise<void> {
  await sql`
    update pgboss.job set start_after = now()
    where name = ${name} and singleton_key = ${key} and state in ('created', 'retry') and start_after > now()`.execute(tx.db);
}

export async function hasKind(ctx: Ctx, name: string): Promise<boolean> {
  const { rows } = await sql<{ name: string }>`select name from pgboss.queue where name = ${name} and name not like '\\_\\_%'`.execute(
    ctx.db,
  );
  return rows.length === 1;
}

/** The queue allows one job of an exclusive kind and key at a time (SQLSTATE 23505). */
export function isWaitingAlready(error: unknown): boolean {
  return (error as { code?: string }).code === '23505';
}
