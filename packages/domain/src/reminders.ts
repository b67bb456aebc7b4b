import { DAY_MS, HOUR_MS, lastDeadline, type Deadlines } from './deadlines.ts';
import { limits } from './limits.ts';

/** None, or one of the intervals that people choose from. */
export function isReminder(days: number | null): boolean {
  return days === null || limits.reminderDays.some((one) => one === days);
}

/** True when the first reminder would go out at or past the general (or last individual) deadline: 'time conflict'. */
export function reminderConflicts(reminderInDays: number, deadlines: Deadlines, now: Date): boolean {
  const end = lastDeadline(deadlines);
  return end !== null && now.getTime() + reminderInDays * DAY_MS >= end.getTime();
}

export interface RemindableSigner {
  id: string;
  invitedAt: Date | null;
  dueDate: Date | null;
  /** Which reminder went out last: the number of its interval, counted from the invitation; 0: none. */
  remindersSent: number;
}

/** Signers whose next reminder is due: every `reminderInDays` from the invitation, never after a deadline. */
export function dueReminders<S extends RemindableSigner>(
  input: {
    reminderIn: number | null;
    dueDate: Date | null;
    waitingSigners: readonly S[];
  },
  now: Date,
): S[] {
  const interval = input.reminderIn;
  if (interval === null || interval <= 0) return [];
  return input.waitingSigners.filter((signer) => {
    if (!signer.invitedAt) return false;
    const dueAt = signer.invitedAt.getTime() + (signer.remindersSent + 1) * interval * DAY_MS;
    const ends = [input.dueDate, signer.dueDate].filter((date): date is Date => date !== null);
    return dueAt <= now.getTime() && ends.every((end) => now < end);
  });
}

/**
 * Which reminder of a signer's is sent at an instant: that of the interval that has just ended. Those that nobody sent when they were
 * due (the service stood still) are left out: five at once would tell no more than one.
 */
export function reminderAt({ invitedAt, remindersSent }: RemindableSigner, reminderIn: number | null, at: Date): number {
  const next = remindersSent + 1;
  if (invitedAt === null || reminderIn === null || reminderIn <= 0) return next;
  return Math.max(next, Math.floor((at.getTime() - invitedAt.getTime()) / (reminderIn * DAY_MS)));
}

/** Minutes that the sender waits before a signer is written to again: once an hour at most; 0: they may. */
export function minutesUntilToldAgain(toldAgainAt: Date | null, now: Date): number {
  if (toldAgainAt === null) return 0;
  return Math.max(0, Math.ceil((toldAgainAt.getTime() + HOUR_MS - now.getTime()) / 60_000));
}
