import { setTimeout as sleep } from 'node:timers/promises';

/** What a program has opened, to be closed in the opposite order: at a signal, also in the middle of a start, and when a start fails. */
export interface Lifetime {
  /** Aborted when the program is to end. */
  readonly signal: AbortSignal;
  /** Registers what has been opened; `withinMs` bounds its closing. */
  opened(close: () => Promise<unknown>, withinMs: number): void;
  /** Closes all, one after another. */
  close(): Promise<void>;
}

/** Docker and systemd kill after ten seconds and more; an operator is promised five. */
export const END_WITHIN_MS = 5000;
/** Of these the embedded database's share. */
export const STOP_DATABASE_MS = 4000;
/** Ctrl-C reaches us from the terminal and once more from what started us: one wish, not somebody in a hurry. */
const SAME_WISH_MS = 1000;

/**
 * Runs `start` and, when a signal comes, whatever it is doing, closes what it opened within `END_WITHIN_MS` and ends the program.
 * @throws what `start` throws, after everything is closed
 */
export async function liveUntilSignal(start: (life: Lifetime) => Promise<void>): Promise<void> {
  const end = new AbortController();
  const closers: { close: () => Promise<unknown>; withinMs: number }[] = [];
  const life: Lifetime = {
    signal: end.signal,
    opened: (close, withinMs) => void closers.push({ close, withinMs }),
    async close() {
      for (const { close, withinMs } of closers.splice(0).toReversed()) {
        await Promise.race([close().catch(() => {}), sleep(withinMs, undefined, { ref: false })]);
      }
    },
  };
  const starting = start(life);
  let since = 0;
  const stop = async () => {
    if (end.signal.aborted) {
      if (performance.now() - since > SAME_WISH_MS) process.exit(1);
      return;
    }
    since = performance.now();
    end.abort();
    setTimeout(() => process.exit(0), END_WITHIN_MS - 100).unref();
    await starting.catch(() => {});
    await life.close();
    process.exit(0);
  };
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.on(name, () => void stop());
  try {
    await starting;
  } catch (error) {
    // The fault of a start that was told to end is no news.
    if (end.signal.aborted) return;
    await life.close();
    throw error;
  }
}
