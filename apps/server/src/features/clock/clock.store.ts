import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../../context.ts';

/** The newest instant that this database has seen, as SQL: for a statement that reads more on its way. */
export function markSeen(): RawBuilder<Date> {
  // A fresh database has seen nothing; the driver would answer -Infinity, no date.
  return sql<Date>`(select greatest(seen, '1970-01-01Z') from clock_mark)`;
}

export async function readMark(ctx: Ctx): Promise<Date> {
  const { rows } = await sql<{ seen: Date }>`select ${markSeen()} as seen`.execute(ctx.db);
  if (!rows[0]) throw new Error('the database has no clock mark');
  return rows[0].seen;
}

/** A row while the database has seen nothing after this; SQL, for a statement that writes only then. */
export function markNotAfter(latest: Date): RawBuilder<unknown> {
  return sql`select 1 from clock_mark where seen <= ${latest}`;
}

/**
 * Moves the mark on; SQL, for a statement that writes more on its way. Acts of the same moment do not wait for each other: whoever
 * finds the row taken leaves it to the other.
 */
export function markAdvance(now: Date, stepMs: number): RawBuilder<unknown> {
  const older = new Date(now.getTime() - stepMs);
  return sql`
    update clock_mark set seen = ${now}
    where one in (select one from clock_mark where seen < ${older} for update skip locked)`;
}

export async function advanceMark(ctx: Ctx, now: Date, stepMs: number): Promise<void> {
  await markAdvance(now, stepMs).execute(ctx.db);
}

/** Puts the mark where it is told to, back too. */
export async function setMark(ctx: Ctx, at: Date): Promise<void> {
  await ctx.db.updateTable('clock_mark').set({ seen: at }).execute();
}
