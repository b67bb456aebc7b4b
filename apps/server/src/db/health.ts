import { sql } from 'kysely';
import type { Ctx } from '../context.ts';

/** Rejects when the database does not answer. */
export async function pingDatabase(ctx: Ctx): Promise<void> {
  await sql`select 1`.execute(ctx.db);
}

/** As the server says it: `15.14 (Debian 15.14-0+deb12u1)`. */
export async function readServerVersion(ctx: Pick<Ctx, 'db'>): Promise<string> {
  const { rows } = await sql<{ version: string }>`select current_setting('server_version') as version`.execute(ctx.db);
  return rows[0]?.version ?? '';
}
