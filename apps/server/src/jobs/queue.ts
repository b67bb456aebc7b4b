import { setTimeout as sleep } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { PgBoss } from 'pg-boss';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Ctx } from '../context.ts';
import { type ConnectionOptions, IDLE_CONNECTION_MS, PROBED } from '../db/client.ts';
import { DatabaseAwayError, isConnectionFault } from '../db/database-away.ts';
import { isFenced } from '../db/writing-fence.ts';
import type { Write } from '../db/at-once.ts';
import { pingDatabase } from '../db/health.ts';
import type { OutageLog } from '../db/outage-log.ts';
import { loggerFor } from '../loggers.ts';
import type { Database } from '../db/tables.ts';
import { traced } from '../tracing/tracer.ts';
import { during } from '../tracing/under-way.ts';
import { deadLetters, declareQueue, limitsOf, whatIsDeclared } from './declare-queue.ts';
import { endingWrites, listening } from './job-writes.store.ts';
import { CRON_SECONDS, onTheMinute, sendEachMinute } from './on-the-minute.ts';
import { PLANNED_FOR_MANY, planOnce } from './plan-once.ts';
import { senderFor } from './sender.ts';
import { type Line, type Ran, type Runner, startRunner, type TakenJob } from './runner.ts';
import { SUPERVISE_MS, superviseJobs } from './supervision.ts';

/**
 * All that a sender needs to know of a job. Who sends a job of a room above takes its handle, and the room that runs it spreads
 * the same handle into `defineJob`: neither imports the other.
 */
export interface JobHandle<Data extends object, Handed = never> {
  name: string;
  /** Deduplicated: a job sent with a `key` is one while it waits or runs: sending it again meanwhile changes nothing. */
  exclusive?: boolean;
  /** Never there: what is sent with it, for the compiler. */
  carries?: (data: Data) => void;
  /** The same of what its sender may hand it (`SendOptions`). */
  takes?: (handed: Handed) => void;
}

/**
 * The end of the job that runs, as parts of the statement that writes all that it had to do (db/at-once.ts); what is left then is left to others. A
 * run that does not use it is ended after it, by a statement of the queue's own. The statement stands where another run has the job by
 * then: that one finds nothing to do.
 */
export type JobEnd = () => Promise<Write[]>;

/** A kind of job, delivered at least once: `run` may be called twice for the same job and must act once (idempotent consumer). */
export interface Job<Data extends object, Handed = never> extends JobHandle<Data, Handed> {
  /** `handed`: by who sent it, in this program and this moment; else, and from the second run on, it reads by itself. */
  run(ctx: Ctx, data: Data, end?: JobEnd, handed?: Handed): Promise<void>;
  /** Called when the last try failed, e.g. to show the fault to the process's owner. May be called twice too. */
  onGivenUp?(ctx: Ctx, data: Data, error: unknown): Promise<void>;
  /** Tries after the first; 8 unless said. Fewer where somebody is waiting in front of the screen. */
  retryLimit?: number;
  /** Longest run in seconds, waiting for others included; 600 unless said. A program that dies is noticed sooner, by its heartbeat. */
  expireInSeconds?: number;
  /** Fair queueing: jobs sent with a `turn` (an account) take turns: who has sent many waits for himself, not everybody for him. */
  inTurns?: boolean;
  /** Cron expression (UTC) for jobs that start by themselves. */
  cron?: string;
  /** Sent each minute while any program works that knows it. */
  isEachMinute?: boolean;
}

export function defineJob<Data extends object, Handed = never>(job: Job<Data, Handed>): Job<Data, Handed> {
  return job;
}

export interface SendOptions<Handed = never> {
  /** Not before so many milliseconds have passed, by the database's clock: the queue hands out by that. */
  afterMs?: number;
  key?: string;
  /** See `inTurns`. */
  turn?: string;
  /**
   * What its sender knows already of the moment that its statement is written in, for a job that is begun by that (`written`): it need not be read again.
   * Whoever runs it elsewhere or later has nothing of it, so it may hold nothing that is not in the database.
   */
  handed?: Handed | undefined;
}

export interface JobSender {
  /** Sends with the caller's connection: inside a transaction the job exists only if that commits. `key`: see `exclusive`. */
  send<Data extends object>(job: JobHandle<Data, never>, data: Data, options?: SendOptions): Promise<void>;
  /** Sends several of an exclusive kind in one statement, each under its key: see `send`; `seconds`: not before then, by the database's clock. */
  sendEach<Data extends object>(job: JobHandle<Data>, each: readonly { data: Data; key: string }[], seconds?: number): Promise<void>;
  /**
   * The same as parts of a statement that writes more (db/at-once.ts): a kind of job once in each. Where this program has a place for it, it
   * is taken by that statement too, and begun when that is written; a program that dies by then is silent, as one that dies while it runs.
   */
  written<Data extends object, Handed = never>(job: JobHandle<Data, Handed>, data: Data, options?: SendOptions<Handed>): Promise<Write[]>;
  writtenEach<Data extends object>(job: JobHandle<Data>, each: readonly { data: Data; key: string }[], seconds?: number): Promise<Write[]>;
  /** Whether one that is `written` now would be begun by its statement: what it is handed is made in vain else. */
  hasPlaceFor(job: JobHandle<never>): boolean;
  /** Has a job that failed for good tried once more; false where it did not fail. */
  retry(name: string, id: string): Promise<boolean>;
}

export interface JobQueue {
  senderFor(db: Kysely<Database>): JobSender;
  /** Starts taking jobs; `ctx` is what they run with. */
  work(ctx: Ctx): Promise<void>;
  /** Runs what is due now, and what that sends, until nothing is left; for tests, instead of `work`. */
  drain(ctx: Ctx): Promise<void>;
  stop(): Promise<void>;
}

export interface JobQueueOptions {
  /** False on nodes that only send: crons, supervision of dead workers and wake-ups are the workers' business. */
  background: boolean;
  /** What tells of a database that is away, in place of every statement that fails. */
  outage?: OutageLog;
}

/** What a program has for ending is five seconds (main.ts): jobs get most of it. */
const STOP_MS = 3000;
/** Of one turn's jobs so many run at once, anywhere; programs that take them in the same moment may each take so many. */
const PER_TURN = 3;

/** Opens the queue on the product's own database; tables live in schema `pgboss`. */
export async function openJobQueue(
  connection: ConnectionOptions,
  jobs: readonly Job<never>[],
  log: Logger,
  options: JobQueueOptions = { background: true },
): Promise<JobQueue> {
  const boss = await startBoss(connection, jobs, log, options);
  const supervision = options.background ? superviseJobs(boss, (error) => tell(error, log, options.outage)) : null;
  let stopping = false;
  const isStopping = () => stopping;
  let runner: Runner | null = null;
  let minutes: ReturnType<typeof sendEachMinute> | null = null;
  const report = (error: Error) => tell(error, log, options.outage);
  return {
    senderFor: (db) => senderFor(boss, db, (name) => runner?.placeFor(name) ?? null),
    async work(ctx) {
      runner = await startRunner(boss, linesOf(boss, ctx, jobs, isStopping), report, supervision);
      const sent = jobs.flatMap(({ name, isEachMinute }) => (isEachMinute ? [name] : []));
      minutes = sendEachMinute(boss, sent, report);
    },
    async drain(ctx) {
      for (let ran = true; ran;) {
        ran = false;
        for (const job of jobs) while (await drainQueue(boss, ctx, job)) ran = true;
      }
    },
    async stop() {
      stopping = true;
      // What is on its way to a database that does not answer holds up nobody: nothing more is begun from here on.
      const sent = minutes?.stop();
      // What is not done by then is handed back and taken up elsewhere, or at the next start.
      const running = runner;
      runner = null;
      await running?.stop(STOP_MS);
      await Promise.all([supervision?.stop(), sent]);
      await boss.stop({ graceful: true, timeout: STOP_MS });
    },
  };
}

function linesOf(boss: PgBoss, ctx: Ctx, jobs: readonly Job<never>[], isStopping: () => boolean): Line[] {
  return jobs.flatMap((job): Line[] => {
    const own: Line = {
      name: job.name,
      ...limitsOf(job),
      perTurn: job.inTurns ? PER_TURN : null,
      run: (taken) => runOne(boss, ctx, job, taken, isStopping),
    };
    return job.onGivenUp
      ? [own, { name: deadLetters(job), ...limitsOf({}), perTurn: null, run: (dead) => giveUpDead(ctx, job, dead) }]
      : [own];
  });
}

/**
 * Crons are looked at on the minute; flows, which we have none of, are looked for once an hour. Nodes that supervise (supervision.ts) leave
 * to one of them what is done already, for somewhat less than the time between two looks.
 */
const INTERVALS = {
  monitorIntervalSeconds: SUPERVISE_MS / 1000 - 2,
  cronMonitorIntervalSeconds: CRON_SECONDS,
  cronWorkerIntervalSeconds: 30,
  flowIntervalSeconds: 3600,
  // What a program knows of its queues it has declared itself.
  queueCacheIntervalSeconds: 3600,
  // A session that ended silently is known to be dead within a minute; meanwhile the runner's own looks find what it did not tell.
  notifyHeartbeatIntervalMs: 30_000,
} as const;

/** The queue finds what it hands out by its own indexes, and people what it keeps by this one, which two nodes may make at once. */
const KEPT = `
  do $$ begin
    perform pg_advisory_xact_lock(hashtext('pgboss.job_kept'));
    if to_regclass('pgboss.job_kept') is null then create index job_kept on pgboss.job (name, state, completed_on); end if;
  end $$`;

/**
 * Of the queue's own connections. Taken, done, still alive, due: nobody was promised any of it, and what a power cut makes forgotten
 * runs once more, as every job may. What is sent is sent with the caller's connection, and that is forced (docs/decisions/066).
 */
const OWN_CONNECTIONS = {
  ...PROBED,
  idleTimeoutMillis: IDLE_CONNECTION_MS,
  async onConnect(client: pg.ClientBase) {
    await client.query(`set synchronous_commit to off; ${PLANNED_FOR_MANY}`);
    planOnce(client);
  },
};

/** pg-boss with a queue for every job. @throws DatabaseAwayError */
async function startBoss(
  connection: ConnectionOptions,
  jobs: readonly Job<never>[],
  log: Logger,
  { background, outage }: JobQueueOptions,
): Promise<PgBoss> {
  const boss = new PgBoss({
    ...connection,
    ...OWN_CONNECTIONS,
    max: 4,
    ...INTERVALS,
    clock: onTheMinute,
    schedule: background,
    supervise: false,
  });
  boss.on('error', (said) => tell(errorOf(said), log, outage));
  boss.on('warning', (warning) => log.warn({ warning }, 'the job queue reported a warning'));
  try {
    await boss.start();
    await boss.getDb().executeSql(KEPT);
    const declared = await whatIsDeclared(boss);
    for (const job of jobs) await declareQueue(boss, job, background, declared);
    return boss;
  } catch (error) {
    await boss.stop({ graceful: false }).catch(() => {});
    throw isConnectionFault(error) ? new DatabaseAwayError(error) : error;
  }
}

function tell(error: Error, log: Logger, outage: OutageLog | undefined): void {
  // Every two seconds, for as long as the data are being moved: told by whoever moves them.
  if (isFenced(error)) log.debug({ err: error }, 'nothing is taken up while the data are being moved');
  else if (isConnectionFault(error) && outage) outage.away(error);
  else log.error({ err: error }, 'the job queue reported an error');
}

/** The queue tells its workers' faults as plain objects, with its own names behind the message: the error that they copy. */
function errorOf(said: Error): Error {
  if (said instanceof Error) return said;
  const copy = said as Error;
  return Object.assign(new Error(), copy, { message: copy.message.replace(/ \(Queue: [^)]*\)$/, '') });
}

/** A database that goes away again and again under one job may do so because of it: then the try has failed. */
const MOST_OUTAGES = 5;
const OUTAGE_POLL_MS = 1000;

/**
 * A job that lost its database waits for it and runs again within the same try: an outage must not use up the tries of
 * somebody's signature. Meanwhile its heartbeat may have given it to another program, which is what "may run twice" is for.
 */
async function runThroughOutages(
  ctx: Ctx,
  job: Job<never>,
  { data, handed }: TakenJob,
  end: JobEnd,
  isStopping: () => boolean,
): Promise<void> {
  for (let outages = 1; ; outages += 1) {
    try {
      // What was handed is of the moment that the job was sent in.
      return await job.run(ctx, data as never, end, (outages === 1 ? handed : undefined) as never);
    } catch (error) {
      if (!(error instanceof DatabaseAwayError) || outages >= MOST_OUTAGES) throw error;
      const isBack = () =>
        pingDatabase(ctx).then(
          () => true,
          () => false,
        );
      const until = performance.now() + limitsOf(job).expireInSeconds * 1000;
      do {
        if (isStopping() || performance.now() > until) throw error;
        await sleep(OUTAGE_POLL_MS);
      } while (!(await isBack()));
    }
  }
}

/** Each line of its log, and each span, knows which job it is and of which process. */
async function runOne(boss: PgBoss, ctx: Ctx, job: Job<never>, taken: TakenJob, isStopping: () => boolean): Promise<Ran> {
  const { signatureProcessId: process } = taken.data as { signatureProcessId?: string };
  const what = { job: job.name, jobId: taken.id, about: process ? { process } : {} };
  const facts = { 'lavra.job': taken.id, ...(process && { 'lavra.process': process }) };
  let isEnded = false;
  const end = () => endingOf(boss, job.name, taken, () => void (isEnded = true));
  const through = () => runThroughOutages(ctx, job, taken, end, isStopping);
  const run = () => traced(ctx.tracer, `job ${job.name}`, 'internal', through, facts);
  const ran = await during(what, () => runAndTell(ctx, job, taken, run, isStopping));
  return { ...ran, isEnded };
}

async function endingOf(boss: PgBoss, name: string, taken: TakenJob, onWritten: () => void): Promise<Write[]> {
  const asked = listening();
  await boss.complete(name, taken, undefined, { db: asked.db });
  return endingWrites(asked.heard(), onWritten);
}

async function runAndTell(ctx: Ctx, job: Job<never>, taken: TakenJob, run: () => Promise<void>, isStopping: () => boolean): Promise<Ran> {
  const began = performance.now();
  try {
    await run();
    ctx.metrics.ran(job.name, performance.now() - began, true);
    return { status: 'completed' };
  } catch (error) {
    if (isStopping()) {
      loggerFor(ctx.log, 'jobs').info({ err: error }, 'job handed back: the program ends');
      return { status: 'failed' };
    }
    ctx.metrics.ran(job.name, performance.now() - began, false);
    loggerFor(ctx.log, 'jobs').error({ err: error, attempt: taken.retryCount + 1 }, 'job failed');
    const output = { message: error instanceof Error ? error.message : String(error), toldGivenUp: false };
    if (taken.retryCount >= taken.retryLimit && job.onGivenUp) output.toldGivenUp = await tellGivenUp(ctx, job, taken.data, error);
    return { status: 'failed', output };
  }
}

async function tellGivenUp(ctx: Ctx, job: Job<never>, data: unknown, error: unknown): Promise<boolean> {
  try {
    await job.onGivenUp?.(ctx, data as never, error);
    return true;
  } catch (fault) {
    // The dead letter is tried again, so the news is late but not lost.
    loggerFor(ctx.log, 'jobs').error({ err: fault }, 'a job failed for good, and recording that failed too');
    return false;
  }
}

async function giveUpDead(ctx: Ctx, job: Job<never>, dead: TakenJob): Promise<Ran> {
  const output = dead.sourceOutput as { message?: string; toldGivenUp?: boolean } | null;
  const told =
    output?.toldGivenUp === true ||
    (await during({ job: job.name, jobId: dead.id, about: {} }, () =>
      tellGivenUp(ctx, job, dead.data, new Error(output?.message ?? 'the program ended during the last try')),
    ));
  return { status: told ? 'completed' : 'failed' };
}

async function drainQueue(boss: PgBoss, ctx: Ctx, job: Job<never>): Promise<boolean> {
  const [taken] = await boss.fetch(job.name, { includeMetadata: true });
  if (!taken) return false;
  const { status, output, isEnded } = await runOne(boss, ctx, job, taken, () => false);
  if (isEnded) return true;
  if (status === 'completed') await boss.complete(job.name, taken.id);
  else await boss.fail(job.name, taken.id, output);
  return true;
}
