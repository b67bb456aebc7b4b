/** So many days before a certificate or a list ends those who administer the installation are warned. */
export const expiryWarningDays = [60, 30, 7] as const;

const DAY_MS = 86_400_000;

export interface ExpiryState {
  /** Whole days that are left; negative after the end. */
  daysLeft: number;
  /** `good`: nothing to do yet. */
  state: 'good' | 'soon' | 'ended';
  /** The warning that is due: the least of 60, 30 and 7 that it has come to, 0 when it has ended; null: none. */
  warning: 60 | 30 | 7 | 0 | null;
}

/** How near the end is. */
export function expiryState(endsAt: Date, now: Date): ExpiryState {
  const daysLeft = Math.floor((endsAt.getTime() - now.getTime()) / DAY_MS);
  if (endsAt <= now) return { daysLeft: Math.min(daysLeft, -1), state: 'ended', warning: 0 };
  const warning = expiryWarningDays.findLast((days) => endsAt.getTime() - now.getTime() <= days * DAY_MS) ?? null;
  return { daysLeft, state: warning === null ? 'good' : 'soon', warning };
}
