import { sql } from 'kysely';
import type { Ctx } from '../../context.ts';

/** True when a job has been due for five minutes, by the database's clock, and nobody has taken it. */
export async function hasOverdueJobs(ctx: Ctx): Promise<boolean> {
  const { rows } = await sql<{ overdue: boolean }>`
    select exists (
      select 1 from pgboss.job where state in ('created', 'retry') and start_after < now() - interval '5 minutes'
    ) as overdue`.execute(ctx.db);
  return rows[0]?.overdue ?? false;
}
