import { DAY_MS } from './deadlines.ts';
import { limits } from './limits.ts';

/** Days that files are kept after their process has ended: the shortest of the bounds that hold for its owner; null: no end. */
export function retentionDays(bounds: readonly (number | null)[]): number | null {
  const days = bounds.filter((bound) => bound !== null && bound > 0);
  return days.length === 0 ? null : Math.min(...(days as number[]));
}

/** Since when a process must have ended for its people to be warned by now. */
export function warnedIfEndedBefore(days: number, now: Date): Date {
  return new Date(now.getTime() - (days - limits.retentionWarningDays) * DAY_MS);
}

/**
 * When its files go: after the days, and never sooner than a week after its people were warned, be it that the days were shortened
 * meanwhile or that nobody could be warned in time.
 */
export function filesRemovalAt({ finalizedAt, warnedAt }: { finalizedAt: Date; warnedAt: Date }, days: number): Date {
  const end = finalizedAt.getTime() + days * DAY_MS;
  return new Date(Math.max(end, warnedAt.getTime() + limits.retentionWarningDays * DAY_MS));
}
