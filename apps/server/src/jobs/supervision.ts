import { setTimeout as sleep } from 'node:timers/promises';
import type { PgBoss } from 'pg-boss';

export interface Supervision {
  stop(): Promise<void>;
}

/** How soon a dead program's jobs are noticed. */
export const SUPERVISE_MS = 10_000;
/** What is left while nothing is at work anywhere, removal of old jobs and counts, has time. */
const AT_REST_MS = 600_000;

/** Only a job that is at work can be a dead program's. */
const IS_ANY_ACTIVE = `
  select exists (select from pgboss.queue q where exists (
    select from pgboss.job j where j.name = q.name and j.state = 'active')) as "isAny"`;

/**
 * Has the queue look after dead programs' jobs while any is at work, here or at another node; while none is, one statement in place of a dozen
 * asks whether that is still so. pg-boss's own supervision was most of what a program at rest took.
 */
export function superviseJobs(boss: PgBoss, report: (error: Error) => void, everyMs = SUPERVISE_MS): Supervision {
  const ended = new AbortController();
  let supervised = performance.now();
  const look = async () => {
    const { rows } = (await boss.getDb().executeSql(IS_ANY_ACTIVE)) as { rows: { isAny: boolean }[] };
    if (rows[0]?.isAny !== true && performance.now() - supervised < AT_REST_MS) return;
    await boss.supervise();
    supervised = performance.now();
  };
  const watch = async () => {
    while (!ended.signal.aborted) {
      await sleep(everyMs, undefined, { signal: ended.signal, ref: false }).catch(() => {});
      if (!ended.signal.aborted) await look().catch(report);
    }
  };
  const watching = watch();
  return {
    stop() {
      ended.abort();
      return watching;
    },
  };
}
