import type { Kysely } from 'kysely';
import { fromKysely, PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import type { Ctx } from '../context.ts';
import type { ConnectionOptions } from '../db/client.ts';
import type { Database } from '../db/tables.ts';

/** A kind of job. `run` may be called twice for the same job and must act once (conditional updates). */
export interface Job<Data extends object> {
  name: string;
  run(ctx: Ctx, data: Data): Promise<void>;
  /** Called when the last try failed, e.g. to show the fault to the process's owner. */
  onGivenUp?(ctx: Ctx, data: Data, error: unknown): Promise<void>;
  /** Tries after the first; 8 unless said. Fewer where somebody is waiting in front of the screen. */
  retryLimit?: number;
  /** Cron expression (UTC) for jobs that start by themselves. */
  cron?: string;
}

export function defineJob<Data extends object>(job: Job<Data>): Job<Data> {
  return job;
}

export interface JobSender {
  /** Sends with the caller's connection: inside a transaction the job exists only if that commits. */
  send<Data extends object>(job: Job<Data>, data: Data, options?: { startAfter?: Date }): Promise<void>;
}

export interface JobQueue {
  senderFor(db: Kysely<Database>): JobSender;
  /** Starts taking jobs; `ctx` is what they run with. */
  work(ctx: Ctx): Promise<void>;
  stop(): Promise<void>;
}

const RETRY = { retryLimit: 8, retryDelay: 2, retryBackoff: true, retryDelayMax: 600, expireInSeconds: 120, heartbeatSeconds: 10 } as const;

/** Opens the queue on the product's own database; tables live in schema `pgboss`. */
export async function openJobQueue(connection: ConnectionOptions, jobs: readonly Job<never>[], log: Logger): Promise<JobQueue> {
  const boss = new PgBoss({ ...connection, max: 4, monitorIntervalSeconds: 5, superviseIntervalSeconds: 5, schedule: true, cronMonitorIntervalSeconds: 15, cronWorkerIntervalSeconds: 5 });
  boss.on('error', (error) => log.error({ err: error }, 'job queue'));
  await boss.start();
  for (const job of jobs) {
    await boss.createQueue(job.name, { ...RETRY, retryLimit: job.retryLimit ?? RETRY.retryLimit });
    if (job.cron) await boss.schedule(job.name, job.cron, {});
  }
  return {
    senderFor: (db) => ({
      async send(job, data, options = {}) {
        const id = await boss.send(job.name, data, { db: fromKysely(db), ...(options.startAfter ? { startAfter: options.startAfter } : {}) });
        if (id === null) throw new Error(`job ${job.name} was not accepted`);
      },
    }),
    async work(ctx) {
      for (const job of jobs) await workOn(boss, job, ctx);
    },
    stop: () => boss.stop({ graceful: true, timeout: 10_000 }),
  };
}

async function workOn(boss: PgBoss, job: Job<never>, ctx: Ctx): Promise<void> {
  await boss.work(job.name, { pollingIntervalSeconds: 0.5, batchSize: 1, includeMetadata: true }, async ([taken]) => {
    if (!taken) return;
    try {
      await job.run(ctx, taken.data as never);
    } catch (error) {
      ctx.log.error({ err: error, job: job.name, attempt: taken.retryCount + 1 }, 'job failed');
      if (taken.retryCount >= taken.retryLimit) await job.onGivenUp?.(ctx, taken.data as never, error);
      throw error;
    }
  });
}
