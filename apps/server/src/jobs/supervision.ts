import type { PgBoss } from 'pg-boss';

export interface Supervision {
  /** Whether any job is at work anywhere, each time that it was looked at. Ends when what has to be done then is done; null: nothing has. */
  seen(isAnyActive: boolean): Promise<void> | null;
  stop(): Promise<void>;
}

/** How soon a dead program's jobs are noticed. */
export const SUPERVISE_MS = 10_000;
/** A look that comes a moment too soon is none too many. */
const EARLY_MS = 500;
/** What is left while nothing is at work anywhere, removal of old jobs and counts, has time. */
const AT_REST_MS = 600_000;

/**
 * Has the queue look after dead programs' jobs while any is at work, here or at another node: only such a job can be one. pg-boss's own
 * supervision, a dozen statements each time, was most of what a program at rest took; whether any is at work is asked with what is due (runner.ts).
 */
export function superviseJobs(boss: Pick<PgBoss, 'supervise'>, report: (error: Error) => void, everyMs = SUPERVISE_MS): Supervision {
  // A program may have died before this one began: what is at work at its first look may be what the dead one left.
  let supervised = performance.now() - everyMs;
  let supervising: Promise<void> = Promise.resolve();
  return {
    seen(isAnyActive) {
      const passed = performance.now() - supervised;
      if (passed < (isAnyActive ? everyMs - EARLY_MS : AT_REST_MS)) return null;
      supervised = performance.now();
      return (supervising = supervising.then(() => boss.supervise()).catch(report));
    },
    stop: () => supervising,
  };
}
