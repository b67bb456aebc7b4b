import type { Ctx } from '../../../context.ts';
import { findStuck, listStuck, type StuckRow } from '../stuck-processes.store.ts';

/** Where a process stands, as far as its going on by itself is concerned. */
export interface StuckProcess {
  id: string;
  ownerId: string;
  phase: 'preparation' | 'signing' | 'finalization';
  problem: string | null;
  problemParams: Readonly<Record<string, string | number>>;
  startedAt: Date | null;
  waitingSince: Date | null;
}

/** Longer than one job takes whose first try works. */
const USUAL_MS = 10 * 60_000;

/** Processes that do not go on, and those whose preparation or end takes longer than it should. */
export async function listStuckProcesses(ctx: Ctx): Promise<StuckProcess[]> {
  return (await listStuck(ctx, new Date(ctx.clock.now().getTime() - USUAL_MS))).map(toStuck);
}

/** One in progress, stuck or not; null for any other. */
export async function findStuckProcess(ctx: Ctx, id: string): Promise<StuckProcess | null> {
  const row = await findStuck(ctx, id);
  return row ? toStuck(row) : null;
}

function toStuck({ preparedAt, signedAt, problemParams, ...row }: StuckRow): StuckProcess {
  const phase = preparedAt === null ? 'preparation' : signedAt === null ? 'signing' : 'finalization';
  const waitingSince = phase === 'preparation' ? row.startedAt : signedAt;
  return { ...row, phase, problemParams: problemParams ?? {}, waitingSince };
}
