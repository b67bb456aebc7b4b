import { sql } from 'kysely';
import type { Ctx } from '../../context.ts';

export interface JobKindRow {
  name: string;
  waiting: number;
  active: number;
  failed: number;
  overdue: number;
  lastDoneAt: Date | null;
}

/** Every kind of job that a node declared, with what the queue keeps of it; its own housekeeping is not ours to tell. */
export async function listKinds(ctx: Ctx): Promise<JobKindRow[]> {
  const { rows } = await sql<JobKindRow>`
    select q.name,
      count(j.id) filter (where j.state in ('created', 'retry'))::int as waiting,
      count(j.id) filter (where j.state = 'active')::int as active,
      count(j.id) filter (where j.state = 'failed')::int as failed,
      count(j.id) filter (where j.state in ('created', 'retry') and j.start_after < now() - interval '5 minutes')::int as overdue,
      max(j.completed_on) filter (where j.state = 'completed') as "lastDoneAt"
    from pgboss.queue q left join pgboss.job j on j.name = q.name
    where q.name not like '\\_\\_%'
    group by q.name order by q.name`.execute(ctx.db);
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

export async function listFailed(ctx: Ctx, { offset, limit }: { offset: number; limit: number }): Promise<FailedJobRow[]> {
  const { rows } = await sql<FailedJobRow>`
    select id, name, created_on as "createdAt", completed_on as "failedAt", retry_count + 1 as tries, output ->> 'message' as message
    from pgboss.job where state = 'failed'
    order by completed_on desc nulls last, id offset ${offset} limit ${limit}`.execute(ctx.db);
  return rows;
}

export async function countFailed(ctx: Ctx): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from pgboss.job where state = 'failed'`.execute(ctx.db);
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
