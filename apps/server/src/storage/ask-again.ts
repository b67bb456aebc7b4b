import { setTimeout as sleep } from 'node:timers/promises';

/** Between one look for what ought to be there and the next. */
const UNSEEN_MS = [20, 100];
/**
 * Between one round of a bucket's own attempts, which are over within a blink, and the next: a gateway that is started again takes a second. In all
 * less than the health waits for (features/management/health.ts), so that it has the cause.
 */
const PASSING_MS = [100, 250, 500, 750];
/** What took so long before it failed has used up its caller's patience. */
const PATIENCE_MS = 3000;

/**
 * Looks again where something ought to be and was not seen. A store that replaces an object may have none for a moment: OpenStack Swift lists its
 * folder, and the file of that list is gone when it is opened. Two signers with the same picture meet so.
 */
export async function lookedAgain<T>(look: () => Promise<T | null>): Promise<T | null> {
  for (const pause of UNSEEN_MS) {
    const found = await look();
    if (found !== null) return found;
    await sleep(pause);
  }
  return look();
}

/** Tries again what failed at once and for a cause that may pass, for some two seconds; `act` may be done twice. */
export async function riddenOut<T>(act: () => Promise<T>, mayPass: (error: unknown) => boolean): Promise<T> {
  const begun = performance.now();
  for (const pause of PASSING_MS) {
    try {
      return await act();
    } catch (error) {
      if (!mayPass(error) || performance.now() - begun > PATIENCE_MS) throw error;
    }
    await sleep(pause);
  }
  return act();
}
