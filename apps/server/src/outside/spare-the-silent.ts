import { createHash } from 'node:crypto';
import type { Clock } from '../context.ts';
import { type Outside, OutsideFault, type OutsideRequest } from './outside.ts';

/** Short enough for a job's next tries, long enough that a page with twenty signatures waits once. */
const SPARED_MS = 30_000;
const REMEMBERED = 1000;

/** Circuit breaker and single-flight: asks one thing once at a time, and not again for half a minute after it failed. */
export function spareTheSilent(outside: Outside, clock: Clock): Outside {
  const asking = new Map<string, Promise<Uint8Array>>();
  const failed = new Map<string, { at: number; fault: OutsideFault }>();
  const ask = async (key: string, request: OutsideRequest): Promise<Uint8Array> => {
    try {
      return await outside.fetch(request);
    } catch (error) {
      if (!(error instanceof OutsideFault)) throw error;
      if (failed.size >= REMEMBERED) failed.clear();
      failed.set(key, { at: clock.now().getTime(), fault: error });
      throw error;
    } finally {
      asking.delete(key);
    }
  };
  return {
    fetch(request) {
      const key = questionKey(request);
      const known = failed.get(key);
      const since = known ? clock.now().getTime() - known.at : Number.NaN;
      // A clock that was ahead and is right again asks anew.
      if (known && since >= 0 && since < SPARED_MS) return Promise.reject(known.fault);
      failed.delete(key);
      const running = asking.get(key) ?? ask(key, request);
      asking.set(key, running);
      return running;
    },
  };
}

/** One question: the address, and what is sent there. */
export function questionKey({ url, body }: Pick<OutsideRequest, 'url' | 'body'>): string {
  const hash = createHash('sha256').update(url);
  if (body) hash.update('\0').update(body.bytes);
  return hash.digest('hex');
}
