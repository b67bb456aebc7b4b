import type { Logger } from 'pino';

/** What the pool and the queue notice of the database; every statement of an outage would fill the log. */
export interface OutageLog {
  away(error: Error): void;
  answered(): void;
}

interface EndingOutageLog extends OutageLog {
  /** From now on connections end because this program does: no news. */
  rest(): void;
}

const REMIND_MS = 30_000;

/** Says once that the database is away, every half minute that it still is, and once that it is back. */
export function createOutageLog(log: Pick<Logger, 'error' | 'warn' | 'info'>): EndingOutageLog {
  let since: number | null = null;
  let told = 0;
  let resting = false;
  return {
    away(error) {
      if (resting) return;
      const now = performance.now();
      if (since === null) {
        [since, told] = [now, now];
        log.error({ err: error }, 'database is away');
      } else if (now - told > REMIND_MS) {
        told = now;
        log.warn({ seconds: Math.round((now - since) / 1000), cause: error.message }, 'database is still away');
      }
    },
    answered() {
      if (since === null) return;
      log.info({ seconds: Math.round((performance.now() - since) / 100) / 10 }, 'database is back');
      since = null;
    },
    rest() {
      resting = true;
    },
  };
}
