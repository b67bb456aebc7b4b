import { createHistogram } from 'node:perf_hooks';

/** How late an event loop is, since the last `reset`, in milliseconds. */
export interface LoopMeter {
  mean(): number;
  percentile(percent: number): number;
  max(): number;
  reset(): void;
  close(): void;
}

/** How often the event loop is asked whether it is late, while it has something to do. */
export const LOOKED_EVERY_MS = 50;
/** The same of a loop that rests: each look wakes a program that has nothing else to do, and twenty a second were a third of what it took. */
const RESTING_EVERY_MS = 1000;
/** So many looks without `WORKING_MS` of work between them, and it rests. */
const LOOKS_UNTIL_REST = 20;
const WORKING_MS = 25;
/** What nobody at rest does at once: from then on it is looked at often. */
const BUSY_MS = 50;
/** What a histogram takes for none. */
const NONE = 1;

/** Asks the event loop again and again how late it is: often while it works, rarely while it rests. */
export function startLoopMeter(): LoopMeter {
  const waits = createHistogram();
  let quiet = 0;
  let pause = LOOKED_EVERY_MS;
  let since = performance.eventLoopUtilization();
  let due = performance.now() + pause;
  const look = () => {
    const late = performance.now() - due;
    waits.record(Math.max(NONE, Math.round(late * 1e6)));
    // Between two rare looks there would have been many, at a loop that did nothing.
    for (let unlooked = LOOKED_EVERY_MS; unlooked < pause; unlooked += LOOKED_EVERY_MS) waits.record(NONE);
    const now = performance.eventLoopUtilization();
    const { active } = performance.eventLoopUtilization(now, since);
    since = now;
    const isResting = pause === RESTING_EVERY_MS;
    quiet = active >= (isResting ? BUSY_MS : WORKING_MS) ? 0 : quiet + 1;
    pause = quiet >= LOOKS_UNTIL_REST ? RESTING_EVERY_MS : LOOKED_EVERY_MS;
    due = performance.now() + pause;
    timer = setTimeout(look, pause).unref();
  };
  let timer = setTimeout(look, pause).unref();
  return {
    mean: () => milliseconds(waits.mean),
    percentile: (percent) => milliseconds(waits.percentile(percent)),
    max: () => milliseconds(waits.max),
    reset: () => waits.reset(),
    close: () => clearTimeout(timer),
  };
}

/** Of nothing measured yet a histogram answers no number, or one of its own bounds. A timer's own millisecond is no wait. */
const milliseconds = (nanoseconds: number) =>
  Number.isFinite(nanoseconds) && nanoseconds < 1e15 ? Math.round(Math.max(0, nanoseconds / 1e6 - 1) * 1000) / 1000 : 0;
