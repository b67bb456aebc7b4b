import { sql } from 'kysely';
import type { Ctx } from '../../context.ts';

/** The newest instant that this database has seen. */
export async function readMark(ctx: Ctx): Promise<Date> {
  // A fresh database has seen nothing; the driver would answer -Infinity, no date.
  const row = await ctx.db
    .selectFrom('clock_mark')
    .select(sql<Date>`greatest(seen, '1970-01-01Z')`.as('seen'))
    .executeTakeFirstOrThrow();
  return row.seen;
}

/** Moves the mark on. Acts of the same moment do not wait for each other: whoever finds the row taken leaves it to the other. */
export async function advanceMark(ctx: Ctx, now: Date, stepMs: number): Promise<void> {
  const older = new Date(now.getTime() - stepMs);
  await sql`
    update clock_mark set seen = ${now}
    where one in (select one from clock_mark where seen < ${older} for update skip locked)`.execute(ctx.db);
}

/** Puts the mark where it is told to, back too. */
export async function setMark(ctx: Ctx, at: Date): Promise<void> {
  await ctx.db.updateTable('clock_mark').set({ seen: at }).execute();
}
