import { DomainError } from '@lavra/domain';
import type { Ctx } from '../../context.ts';
import { defineJob } from '../../jobs/queue.ts';
import { advanceMark, markAdvance, markNotAfter, markSeen, readMark } from './clock.store.ts';

/**
 * Programs over one database, and a clock that is set right in small steps, may disagree by this much; what they record then
 * takes the later time. More would be told in the evidence as order that was none (docs/decisions/018).
 */
export const TOLERATED_MS = 5_000;
/** The mark is moved no oftener: an act costs no write for it. */
const STEP_MS = 10_000;

/** The mark as SQL, for a statement that reads or writes more on its way: who records an act asks no question of its own for it. */
export const markParts = {
  seen: markSeen,
  advance: (now: Date) => markAdvance(now, STEP_MS),
  /** A row, unless the clock is behind by now. */
  isNotBehind: (now: Date) => markNotAfter(new Date(now.getTime() + TOLERATED_MS)),
};

/** The instant at which something is recorded, and where the mark is to be moved when that is due. */
export interface RecordingInstant {
  at: Date;
  /** What the clock said. */
  now: Date;
  mark: Date | null;
}

/**
 * Now, and never before what was recorded last; `seen`: the mark.
 * @throws DomainError server.clockBehind
 */
export function recordingInstant(ctx: Ctx, seen: Date, last: Date | null): RecordingInstant {
  const now = ctx.clock.now();
  const newest = Math.max(seen.getTime(), last?.getTime() ?? 0);
  if (newest - now.getTime() > TOLERATED_MS) throw clockBehind(ctx, newest - now.getTime());
  return { now, at: last !== null && last > now ? last : now, mark: now.getTime() - seen.getTime() > STEP_MS ? now : null };
}

/**
 * Before anything is signed, sealed or stamped; `seen`: the mark, where it was just read with something else.
 * @throws DomainError server.clockBehind
 */
export async function assertClock(ctx: Ctx, seen?: Date): Promise<void> {
  const behind = await millisecondsBehind(ctx, seen);
  if (behind > TOLERATED_MS) throw clockBehind(ctx, behind);
}

/** Whether what was refused waits for the clock alone. */
export function isClockFault(error: unknown): boolean {
  return error instanceof DomainError && error.code === 'server.clockBehind';
}

function clockBehind(ctx: Ctx, milliseconds: number): DomainError {
  const seconds = Math.round(milliseconds / 1000);
  ctx.log.error({ seconds }, 'the clock is behind what this database has recorded: nothing is signed or recorded until it is right');
  return new DomainError('server.clockBehind', { params: { seconds } });
}

async function millisecondsBehind(ctx: Ctx, seen?: Date): Promise<number> {
  return (seen ?? (await readMark(ctx))).getTime() - ctx.clock.now().getTime();
}

/** For readiness, and for sweeps that had better wait. */
export async function isClockBehind(ctx: Ctx): Promise<boolean> {
  return (await millisecondsBehind(ctx)) > TOLERATED_MS;
}

/** A day without acts still notices a clock that went back. One that is behind moves nothing. */
export const markTimeJob = defineJob<Record<string, never>>({
  name: 'mark-time',
  run: (ctx) => advanceMark(ctx, ctx.clock.now(), STEP_MS),
});
