import { jobsCountedTo } from '@lavra/api';
import type { Ctx } from '../../context.ts';
import { DatabaseAwayError } from '../../db/database-away.ts';
import { loggerFor } from '../../loggers.ts';
import { ownAttention } from './find-attention.ts';
import { type JobKindRow, listKinds } from './jobs.store.ts';
import { tellAttention } from './node-attention.store.ts';

const EVERY_MS = 60_000;
/** The three gauges of a scrape share one look. */
const SHARED_MS = 1000;
/** As in the health: waiting for so long, something is wrong. */
const OVERDUE_SECONDS = 300;

/**
 * What waits in the queue, and since when, for who reads the metrics; counted as far as the page of jobs counts. Read from the
 * database: all nodes tell the same.
 */
export function countQueues(ctx: Ctx): void {
  let looked: { at: number; kinds: Promise<JobKindRow[]> } | null = null;
  const look = () => {
    const now = performance.now();
    if (looked === null || now - looked.at > SHARED_MS) looked = { at: now, kinds: listKinds(ctx, jobsCountedTo).catch(unlessAway) };
    return looked.kinds;
  };
  const told = (value: (kind: JobKindRow) => number) => async () => (await look()).map((kind) => [kind.name, value(kind)] as const);
  ctx.metrics.gauge(
    'lavra_jobs_waiting',
    'Jobs that wait, those of later included',
    told(({ waiting }) => waiting),
    'job',
  );
  ctx.metrics.gauge(
    'lavra_jobs_oldest_seconds',
    'Since when the oldest one that is due waits',
    told(({ oldestSeconds }) => oldestSeconds),
    'job',
  );
  ctx.metrics.gauge(
    'lavra_jobs_given_up',
    'Jobs that failed for good and are kept',
    told(({ failed }) => failed),
    'job',
  );
}

/** The rest of the metrics is wanted most while the database is away: nobody knows the queues then, and they are not told. */
function unlessAway(error: unknown): [] {
  if (error instanceof DatabaseAwayError) return [];
  throw error;
}

/**
 * Once a minute a line for each kind of job that has waited for five: also from a node that only serves pages, whose workers may be
 * gone. And for the pages of the others, what is slow at this one. Ends with what it gives back.
 */
export function watchJobs(ctx: Ctx, everyMs = EVERY_MS): () => Promise<void> {
  let hasTold = false;
  const look = async () => {
    await warnOfWaiting(ctx);
    const attention = ownAttention(ctx);
    // Most minutes have nothing to tell and nothing to take back.
    if (hasTold || attention.length > 0) await tellAttention(ctx, ctx.metrics.program, attention);
    hasTold = attention.length > 0;
  };
  let last = Promise.resolve();
  // A database that is away is told by the pool.
  const timer = setInterval(() => (last = last.then(look).catch(() => {})), everyMs);
  timer.unref();
  return () => {
    clearInterval(timer);
    return last;
  };
}

async function warnOfWaiting(ctx: Ctx): Promise<void> {
  const log = loggerFor(ctx.log, 'jobs');
  for (const { name, waiting, oldestSeconds } of await listKinds(ctx, jobsCountedTo))
    if (oldestSeconds > OVERDUE_SECONDS) log.warn({ job: name, waiting, oldestSeconds: Math.round(oldestSeconds) }, 'jobs wait');
}
