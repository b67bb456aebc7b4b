import { sql } from 'kysely';
import type { TestApp } from './app.ts';

/** Runs every try of the jobs of one kind without waiting for the back-off between them, until they are done or given up. */
export async function exhaustJobs(app: TestApp, name: string): Promise<void> {
  for (;;) {
    await app.runJobs();
    const waiting = await sql`update pgboss.job set start_after = now() where name = ${name} and state = 'retry' returning id`.execute(
      app.ctx.db,
    );
    if (waiting.rows.length === 0) return;
  }
}

/** How many jobs of one kind wait or run. */
export async function countOpenJobs(app: TestApp, name: string): Promise<number> {
  const { rows } = await sql`select id from pgboss.job where name = ${name} and state <= 'active'`.execute(app.ctx.db);
  return rows.length;
}

/** Loses every job of one kind, as a restored backup might. */
export async function dropJobs(app: TestApp, name: string): Promise<void> {
  await sql`delete from pgboss.job where name = ${name}`.execute(app.ctx.db);
}

/** How often jobs of one kind had to be tried again or were given up. */
export async function countFailedTries(app: TestApp, name: string): Promise<number> {
  const { rows } = await sql<{ tries: number }>`
    select coalesce(sum(retry_count), 0)::int as tries from pgboss.job where name = ${name}`.execute(app.ctx.db);
  return rows[0]?.tries ?? 0;
}

/** Runs the jobs of one kind that wait for a moment of their own, as if it had come, and what they send that is due. */
export async function hurryJobs(app: TestApp, name: string): Promise<void> {
  await sql`update pgboss.job set start_after = now() where name = ${name} and state in ('created', 'retry')`.execute(app.ctx.db);
  await app.runJobs();
}
