import type { Clock } from '../context.ts';

/** A clock that stands still until a test moves it. */
export interface TestClock extends Clock {
  set(now: Date | string): void;
  advance(by: { days?: number; hours?: number; minutes?: number; seconds?: number }): void;
}

/** Stands at the given instant; by default at a Monday morning in São Paulo. */
export function frozenClock(start: Date | string = '2026-11-23T12:00:00.000Z'): TestClock {
  let now = new Date(start);
  return {
    now: () => new Date(now),
    set(instant) {
      now = new Date(instant);
    },
    advance({ days = 0, hours = 0, minutes = 0, seconds = 0 }) {
      now = new Date(now.getTime() + (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000);
    },
  };
}
