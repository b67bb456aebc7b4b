import type { Ctx } from '../../context.ts';
import { loggerFor } from '../../loggers.ts';
import { listQueueAges } from './jobs.store.ts';

const EVERY_MS = 60_000;
/** As in the health: waiting for so long, something is wrong. */
const OVERDUE_SECONDS = 300;

/** What waits in the queue, and since when, for who reads the metrics. Read from the database: all nodes tell the same. */
export function countQueues(ctx: Ctx): void {
  const ages = (value: (age: Awaited<ReturnType<typeof listQueueAges>>[number]) => number) => async () =>
    (await listQueueAges(ctx)).map((age) => [age.name, value(age)] as const);
  ctx.metrics.gauge(
    'lavra_jobs_waiting',
    'Jobs that wait, those of later included',
    ages(({ waiting }) => waiting),
    'job',
  );
  ctx.metrics.gauge(
    'lavra_jobs_oldest_seconds',
    'Since when the oldest one that is due waits',
    ages(({ oldestSeconds }) => oldestSeconds),
    'job',
  );
  ctx.metrics.gauge(
    'lavra_jobs_given_up',
    'Jobs that failed for good and are kept',
    ages(({ failed }) => failed),
    'job',
  );
}

/**
 * Once a minute a line for each kind of job that has waited for five: also from a node that only serves pages, whose workers may be
 * gone. Ends with what it gives back.
 */
export function watchJobs(ctx: Ctx): () => Promise<void> {
  const log = loggerFor(ctx.log, 'jobs');
  const look = async () => {
    for (const { name, waiting, oldestSeconds } of await listQueueAges(ctx))
      if (oldestSeconds > OVERDUE_SECONDS) log.warn({ job: name, waiting, oldestSeconds: Math.round(oldestSeconds) }, 'jobs wait');
  };
  // A database that is away is told by the pool.
  const timer = setInterval(() => void look().catch(() => {}), EVERY_MS);
  timer.unref();
  return async () => clearInterval(timer);
}
