import type { PgBoss, QueueResult, Schedule } from 'pg-boss';
import type { Job } from './queue.ts';

const RETRY_LIMIT = 8;
const QUEUE = { retryDelay: 2, retryBackoff: true, retryDelayMax: 600, expireInSeconds: 600, heartbeatSeconds: 10, notify: true } as const;

/** What came due while no program ran, or the database was away, is done once as soon as one looks: nights are when machines are switched off. */
const CAUGHT_UP = { missed: 'once' } as const;

/** Dead-letter queue: jobs whose last try ended without our noticing, because the program or the machine died during it. */
export const deadLetters = (job: Job<never>) => `${job.name}.dead`;

/** How often a job is tried again, and how long a try may take. */
export const limitsOf = ({
  retryLimit = RETRY_LIMIT,
  expireInSeconds = QUEUE.expireInSeconds,
}: Pick<Job<never>, 'retryLimit' | 'expireInSeconds'>) => ({
  retryLimit,
  expireInSeconds,
});

/** What the starts before have declared. */
export interface Declared {
  queues: readonly QueueResult[];
  schedules: readonly Schedule[];
}

/** In two statements, for all queues. */
export async function whatIsDeclared(boss: PgBoss): Promise<Declared> {
  return { queues: await boss.getQueues(), schedules: await boss.getSchedules() };
}

/** Writes what is not so already: most starts have nothing to declare. */
export async function declareQueue(boss: PgBoss, job: Job<never>, background: boolean, { queues, schedules }: Declared): Promise<void> {
  const isKept = (name: string, settings: object) => {
    const kept = queues.find((one) => one.name === name) as Readonly<Record<string, unknown>> | undefined;
    return kept !== undefined && Object.entries(settings).every(([setting, value]) => kept[setting] === value);
  };
  if (job.onGivenUp && !queues.some(({ name }) => name === deadLetters(job))) await boss.createQueue(deadLetters(job), QUEUE);
  const settings = {
    ...QUEUE,
    ...limitsOf(job),
    ...(job.onGivenUp ? { deadLetter: deadLetters(job) } : {}),
  };
  if (!isKept(job.name, settings)) {
    await boss.createQueue(job.name, { ...settings, ...(job.exclusive ? { policy: 'exclusive' } : {}) });
    // A queue that an older version made keeps its settings unless told.
    await boss.updateQueue(job.name, settings);
  }
  if (!background) return;
  if (!job.cron) {
    // It had a minute of its own in an older version.
    if (schedules.some(({ name }) => name === job.name)) await boss.unschedule(job.name);
    return;
  }
  const isScheduled = schedules.some(
    ({ name, cron, options }) =>
      name === job.name && cron === job.cron && (options as typeof CAUGHT_UP | null)?.missed === CAUGHT_UP.missed,
  );
  if (!isScheduled) await boss.schedule(job.name, job.cron, {}, CAUGHT_UP);
}
