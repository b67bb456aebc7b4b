import { sql } from 'kysely';
import type { Ctx } from '../context.ts';

/** Rejects when the database does not answer. */
export async function pingDatabase(ctx: Ctx): Promise<void> {
  await sql`select 1`.execute(ctx.db);
}
