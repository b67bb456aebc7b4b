import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { fromKysely, JobWithMetadata, PgBoss } from 'pg-boss';
import type { Supervision } from './supervision.ts';

export type TakenJob = Pick<
  JobWithMetadata<unknown>,
  'id' | 'data' | 'retryCount' | 'retryLimit' | 'expireInSeconds' | 'groupId' | 'sourceOutput'
> & {
  /** By who sent it as taken; of one that was fetched there is nothing. */
  handed?: unknown;
};

/** How a run ended; `output`: what is kept of its fault. */
export interface Ran {
  status: 'completed' | 'failed';
  output?: object;
  /** Written down already, by the statement of its act. */
  isEnded?: boolean;
}

/** One queue as this program works it off. */
export interface Line {
  name: string;
  /** So many jobs of one turn run at once anywhere; null: they take no turns. */
  perTurn: number | null;
  retryLimit: number;
  expireInSeconds: number;
  run(taken: TakenJob): Promise<Ran>;
}

/** Whoever sent a job: its connections are there for as long as anybody sends, the queue's own are closed by then where the program ends. */
type SenderDb = Pick<ReturnType<typeof fromKysely>, 'executeSql'>;

/** Where a job of a queue may begin that is sent as taken. */
export interface Place {
  /** As of its line. */
  perTurn: number | null;
  /** `db`: its sender's. */
  begin(job: Pick<TakenJob, 'id' | 'data' | 'groupId' | 'handed'>, db: SenderDb): void;
  /** Whether this program works at all that may run of this turn: what waits for it is looked for here when one of them ends, and nobody has to be told. */
  holdsAllOf(turn: string): boolean;
  /** One that was sent waits for its turn, and nobody was told. */
  waits(turn: string): void;
}

export interface Runner {
  /** Null where it has to wait for a place. */
  placeFor(name: string): Place | null;
  /** Takes nothing more, waits for what runs, and hands back what is not done within `withinMs`. */
  stop(withinMs: number): Promise<void>;
}

/** Jobs of one queue that run at once in a program. */
const PLACES = 8;
/** A waiting job that nobody told us of: one that is tried again, one for later, one sent while we did not listen. So soon after a job has ended, or while one waits for a turn. */
const POLL_MS = 2000;
/** The same while nothing ends here: a job for later, of which the look before knew, is looked for when it is due. */
const POLL_AT_REST_MS = 10_000;
/** The same while nobody tells us of any, and while the database is away. */
const POLL_UNTOLD_MS = 500;
/** A job whose program is silent for ten seconds is given to another (queue.ts). */
const TOUCH_MS = 5000;

/** Where the queue's tables tell that a job came; the message is the queue's name. */
export const CHANNEL = `pgboss_${createHash('sha224').update('pgboss').digest('hex').slice(0, 24)}`;

/**
 * Not failed: whoever takes them next begins the same try. Only what is still ours, by its number of tries; once handed back, nothing more
 * is written of it here, as the next one's try has the same number. Other programs are told.
 */
const HAND_BACK = `
  with back as (
    update pgboss.job set state = 'created', started_on = null, heartbeat_on = null
    where name = $1 and state = 'active' and id::text || ':' || retry_count = any($2::text[]) returning 1)
  select pg_notify('${CHANNEL}', $1) from back limit 1`;

/**
 * The lines in which something waits, and in how many milliseconds the first of it is due; none: it is. A row without a name: some job is at work, anywhere.
 * The first that is due is enough: of many that wait no more is read.
 */
const WAITING = `
  select name, "inMs" from (
    select line as name, case when exists (
      select from pgboss.job where name = line and state < 'active' and not blocked and start_after <= pgboss.job_now()
    ) then 0 else (
      select extract(epoch from min(start_after) - pgboss.job_now())::float8 * 1000
      from pgboss.job where name = line and state < 'active' and not blocked
    ) end as "inMs"
    from unnest($1::text[]) as line) as lines
  where "inMs" is not null
  union all select null, null where exists (
    select from pgboss.queue q where exists (select from pgboss.job j where j.name = q.name and j.state = 'active'))`;

type Looked = { name: string; inMs: number } | { name: null; inMs: null };

/**
 * Works off all queues of a program: whoever sends a job tells its queue, and one statement then takes as many as there are places;
 * now and then one statement asks for all queues at once what nobody told, and when the next is due. pg-boss's own workers ask each by itself, eight for
 * one job, and each of fifty every two seconds where nothing is to be done (docs/decisions/066).
 */
export async function startRunner(
  boss: PgBoss,
  lines: readonly Line[],
  report: (error: Error) => void,
  supervision: Pick<Supervision, 'seen'> | null = null,
): Promise<Runner> {
  const told = (error: unknown) => report(error as Error);
  const all = new Map(lines.map((line) => [line.name, new RunningLine(boss, line, told)]));
  const wakeAll = () => all.forEach((line) => line.wake());
  const hear = (name: string) => {
    all.get(name)?.wake();
    // It may be for later.
    polling?.within(POLL_MS);
  };
  let polling: ReturnType<typeof lookAgainAndAgain> | null = null;
  const listening = await listen(boss, hear, wakeAll).catch((error: unknown) => (told(error), null));
  const look = async (): Promise<number> => {
    try {
      const free = [...all.values()].filter(({ hasPlace }) => hasPlace).map(({ name }) => name);
      const { rows } = (await boss.getDb().executeSql(WAITING, [free])) as { rows: Looked[] };
      const waiting = rows.filter((row) => row.name !== null);
      for (const { name, inMs } of waiting) if (inMs <= 0) all.get(name)?.wake();
      // A dead program's job is to be tried again by then, of which nobody is told.
      void supervision?.seen(waiting.length < rows.length)?.then(() => polling?.within(POLL_MS));
      if (!listening) return POLL_UNTOLD_MS;
      // What is due and was not taken waits for its turn.
      return Math.min(POLL_AT_REST_MS, ...waiting.map(({ inMs }) => (inMs <= 0 ? POLL_MS : inMs)));
    } catch (error) {
      told(error);
      return POLL_UNTOLD_MS;
    }
  };
  const looking = lookAgainAndAgain(look);
  polling = looking;
  for (const line of all.values()) line.onEnd = () => looking.within(POLL_MS);
  const touching = setInterval(() => all.forEach((line) => void line.touch()), TOUCH_MS);
  return {
    placeFor(name) {
      const line = all.get(name);
      return line?.hasPlaceAtOnce ? line : null;
    },
    async stop(withinMs) {
      for (const line of all.values()) line.takeNoMore();
      await Promise.all([looking.stop(), listening?.close().catch(told)]);
      await Promise.all([...all.values()].map((line) => line.stop(withinMs)));
      clearInterval(touching);
    },
  };
}

/** Looks at once, and each time after the pause that `look` answers, or sooner where that is asked for. */
export function lookAgainAndAgain(look: () => Promise<number>) {
  let isStopped = false;
  let due = 0;
  /** Asked for since the last look began, which may not have seen why. */
  let asked = Infinity;
  let hurry = new AbortController();
  const looking = (async () => {
    while (!isStopped) {
      asked = Infinity;
      const pause = await look();
      due = Math.min(performance.now() + pause, asked);
      for (let left = due - performance.now(); left > 0 && !isStopped; left = due - performance.now()) {
        hurry = new AbortController();
        await sleep(left, undefined, { signal: hurry.signal }).catch(() => {});
      }
    }
  })();
  return {
    within(ms: number): void {
      asked = Math.min(asked, performance.now() + ms);
      if (due <= asked) return;
      due = asked;
      hurry.abort();
    },
    stop(): Promise<void> {
      isStopped = true;
      hurry.abort();
      return looking;
    },
  };
}

async function listen(boss: PgBoss, wake: (name: string) => void, wakeAll: () => void): Promise<{ close(): Promise<void> } | null> {
  return (await boss.getDb().listen?.(CHANNEL, wake, wakeAll)) ?? null;
}

class RunningLine implements Place {
  readonly name: string;
  /** One may have been sent for later, or has to be tried again. */
  onEnd: () => void = () => {};
  readonly #boss: PgBoss;
  readonly #line: Line;
  readonly #report: (error: unknown) => void;
  /** One that was lost to its heartbeat and taken anew runs twice: each has its place. */
  readonly #running = new Set<{ taken: TakenJob; end: Promise<void> }>();
  #done: TakenJob[] = [];
  #settling: Promise<void> | null = null;
  #written: Promise<void> = Promise.resolve();
  #taking: Promise<void> | null = null;
  #isWoken = false;
  #isMoreBehind = false;
  /**
   * How many more there may be to take than the last look left: one for each that has ended since, as it gave its turn to one. Infinite where it is not known: one was sent,
   * or there were more than the look had room for.
   */
  #freed = Infinity;
  #isStopped = false;
  #isOver = false;

  constructor(boss: PgBoss, line: Line, report: (error: unknown) => void) {
    this.name = line.name;
    this.#boss = boss;
    this.#line = line;
    this.#report = report;
  }

  get hasPlace(): boolean {
    return this.#running.size < PLACES;
  }

  get hasPlaceAtOnce(): boolean {
    return this.hasPlace && !this.#isStopped;
  }

  get perTurn(): number | null {
    return this.#line.perTurn;
  }

  /** One that its sender has taken; where others that were sent at the same time have the places or the turns by now, or nothing is begun any more, it waits with the rest. */
  begin(job: Pick<TakenJob, 'id' | 'data' | 'groupId' | 'handed'>, db: SenderDb): void {
    const { retryLimit, expireInSeconds, perTurn } = this.#line;
    const taken: TakenJob = { ...job, retryCount: 0, retryLimit, expireInSeconds, sourceOutput: null };
    if (this.hasPlaceAtOnce && !isTurnTaken(this.#held(), job.groupId, perTurn)) this.#begin(taken);
    else void this.#handBack([taken], db).then(() => this.wake(), this.#report);
  }

  holdsAllOf(turn: string): boolean {
    return isTurnTaken(this.#held(), turn, this.perTurn);
  }

  waits(turn: string): void {
    this.#isMoreBehind = true;
    // One of the turn has ended since, or may while a look is under way that does not see this one.
    if (this.#taking || !this.holdsAllOf(turn)) this.wake();
  }

  /** Something waits, or may. */
  wake(): void {
    this.#freed = Infinity;
    this.#look();
  }

  #look(): void {
    this.#isWoken = true;
    this.#taking ??= this.#take();
  }

  /** Tells that this program still works on what it took. */
  async touch(): Promise<void> {
    if (this.#running.size === 0) return;
    await this.#boss.touch(this.name, this.#held()).catch(this.#report);
  }

  takeNoMore(): void {
    this.#isStopped = true;
  }

  async stop(withinMs: number): Promise<void> {
    // What is being taken goes back.
    const ends = async () => {
      await this.#taking;
      await Promise.all([...this.#running].map(({ end }) => end));
    };
    await Promise.race([ends(), sleep(withinMs, undefined, { ref: false })]);
    this.#isOver = true;
    // At once: what ends from here on is written down by nobody, and goes back with the rest. What ended before is being written down.
    const left = this.#held();
    await this.#settling;
    await this.#written;
    if (left.length > 0) await this.#handBack(left).catch(this.#report);
  }

  #held(): TakenJob[] {
    return [...this.#running].map(({ taken }) => taken);
  }

  async #handBack(taken: readonly TakenJob[], db: SenderDb = this.#boss.getDb()): Promise<void> {
    await db.executeSql(HAND_BACK, [this.name, taken.map(({ id, retryCount }) => `${id}:${retryCount}`)]);
  }

  async #take(): Promise<void> {
    // Not before its caller has noted that it is at work.
    await Promise.resolve();
    try {
      while (this.#isWoken && this.hasPlace && !this.#isStopped) {
        const freed = this.#freed;
        this.#isWoken = false;
        this.#freed = 0;
        const { perTurn } = this.#line;
        const batchSize = PLACES - this.#running.size;
        const held = this.#held();
        const options = { batchSize, includeMetadata: true as const, ...(perTurn === null ? {} : { groupConcurrency: perTurn }) };
        const jobs = await this.#boss.fetch<unknown>(this.name, options);
        // Acts have sent others as taken meanwhile; a program that ends begins nothing more.
        const places = this.#isStopped ? 0 : PLACES - this.#running.size;
        for (const taken of jobs.slice(0, places)) this.#begin(taken);
        if (jobs.length > places) await this.#handBack(jobs.slice(places));
        // As many came as there were places; or whoever runs here, or has ended meanwhile, has a turn that others may wait for, of this program's or another's.
        const isSomeTurnHeld = perTurn !== null && [...held, ...this.#held(), ...jobs].some(({ groupId }) => groupId);
        this.#isMoreBehind = jobs.length >= Math.min(batchSize, places) || isSomeTurnHeld;
        if (jobs.length > 0 && jobs.length < freed) this.#freed = Infinity;
        // What ended while they were taken waited for nobody, and wakes nobody any more.
        if (this.#freed > 0 && this.#isMoreBehind) this.#isWoken = true;
      }
    } catch (error) {
      this.#freed = Infinity;
      this.#report(error);
    } finally {
      this.#taking = null;
    }
  }

  #begin(taken: TakenJob): void {
    const one = { taken, end: this.#work(taken).catch(this.#report) };
    this.#running.add(one);
    void one.end.then(() => {
      this.#running.delete(one);
      this.#freed += 1;
      this.onEnd();
      if (this.#isMoreBehind || this.#isWoken) this.#look();
    });
  }

  async #work(taken: TakenJob): Promise<void> {
    const { status, output, isEnded } = await withinTime(this.#line.run(taken), taken.expireInSeconds);
    if (this.#isOver || isEnded) return;
    if (status === 'completed') await this.#complete(taken);
    // What breaks while its program ends breaks because of that, as far as anybody can tell.
    else if (this.#isStopped) await this.#handBack([taken]);
    else await this.#boss.fail(this.name, taken, output);
  }

  /** What is done while others are being written down is written down with the next. What could not be runs again: its heartbeat ends. */
  #complete(taken: TakenJob): Promise<void> {
    this.#done.push(taken);
    return (this.#settling ??= this.#settle());
  }

  async #settle(): Promise<void> {
    await this.#written;
    const done = this.#done;
    this.#done = [];
    this.#settling = null;
    this.#written = this.#boss.complete(this.name, done).then(() => {}, this.#report);
    await this.#written;
  }
}

function isTurnTaken(jobs: readonly TakenJob[], turn: TakenJob['groupId'], perTurn: number | null): boolean {
  return perTurn !== null && Boolean(turn) && jobs.filter(({ groupId }) => groupId === turn).length >= perTurn;
}

/** A run without an end does not keep its place; another program has the job by then. */
async function withinTime(run: Promise<Ran>, seconds: number): Promise<Ran> {
  const { promise: expired, resolve } = Promise.withResolvers<Ran>();
  const late = () => resolve({ status: 'failed', output: { message: `it took longer than ${seconds} s` } });
  const timer = setTimeout(late, seconds * 1000).unref();
  return Promise.race([run, expired]).finally(() => clearTimeout(timer));
}
