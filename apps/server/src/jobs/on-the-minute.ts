import type { ConstructorOptions, PgBoss } from 'pg-boss';

type Clock = NonNullable<ConstructorOptions['clock']>;

/** The queue's wait between two looks at the crons, and nobody else's: by it the clock below knows that wait. */
export const CRON_SECONDS = 14;
/** What is not seen within its minute, as the database was away, is caught up by the next look (declare-queue.ts). */
const EVERY_MS = 60_000;
/** The minute has come at the database too, whose clock may be behind ours by so much. */
const AFTER_MS = 5000;

/**
 * A cron is due on a minute: the queue looks soon after it, and not whenever a quarter of one has passed since it last did. To read all the expressions
 * was a fourth of what a program at rest did. Never sooner than it asked for: another node's look is counted from.
 */
export const onTheMinute: Clock = {
  now: () => Date.now(),
  setTimeout: (act, ms) => setTimeout(act, ms === CRON_SECONDS * 1000 ? Math.max(ms, untilNextMinute(Date.now())) : ms),
  clearTimeout: (handle) => clearTimeout(handle as NodeJS.Timeout),
  setInterval: (act, ms) => setInterval(act, ms),
  clearInterval: (handle) => clearInterval(handle as NodeJS.Timeout),
};

const untilNextMinute = (now: number) => EVERY_MS - ((now - AFTER_MS) % EVERY_MS);

/** By the database's clock; a minute has one, however many programs send it. */
const ONCE_A_MINUTE = { singletonSeconds: 60 } as const;

/**
 * Sends it each minute, and now, for as long as this program works: one of them is the minute's. A cron would be read by programs of an older version
 * too, and, where an upgrade is taken back, be sent by them for ever to nobody.
 */
export function sendEachMinute(
  boss: Pick<PgBoss, 'send'>,
  names: readonly string[],
  report: (error: Error) => void,
): { stop(): Promise<void> } {
  let timer: NodeJS.Timeout;
  let sending: Promise<unknown> = Promise.resolve();
  const send = () => {
    sending = Promise.all(names.map((name) => boss.send(name, {}, ONCE_A_MINUTE).catch(report)));
    timer = setTimeout(send, untilNextMinute(Date.now()));
  };
  send();
  return {
    async stop() {
      clearTimeout(timer);
      await sending;
    },
  };
}
