import { limits } from '@lavra/domain';

/** Who carries pieces of a file to the server. */
export interface PartCarrier<T> {
  /** How many of its bytes are there. */
  received(): Promise<number>;
  /** Brings the bytes from `from` to `end`; answers how many are there then. */
  send(from: number, end: number): Promise<number>;
  /** Brings the last of them; said again, it acts once. */
  finish(from: number): Promise<T>;
  /** Whether a fault is the line's, so that it may go well in a moment. */
  passes(error: unknown): boolean;
  /** Until it is worth to try again, for the so manieth time one after the other. */
  rest(time: number): Promise<void>;
}

/** One after the other without a byte between: then the line is no line. */
const MOST_FAULTS = 8;

/** A file that is small enough goes up in one piece, and once more as a whole when it breaks off. */
export const goesInParts = (size: number): boolean => size > 2 * limits.uploadPartBytes;

/**
 * Brings a file to the server piece by piece and, wherever the line breaks, goes on from what is there. @throws what `finish` or a
 * fault that does not pass says; the last fault when the line does not come back
 */
export async function uploadInParts<T>(size: number, carrier: PartCarrier<T>): Promise<T> {
  let faults = 0;
  let at: number | null = null;
  let ending: number | null = null;
  for (;;) {
    try {
      at ??= await carrier.received();
      // Its pieces are a document, and nothing is left of them: the same request once more has the same answer.
      if (ending !== null && at < ending) return await carrier.finish(ending);
      // The server keeps what it has checked: whatever is there beyond the file is none of ours.
      if (at >= size) throw new RangeError('more was received than sent');
      if (size - at <= limits.uploadPartBytes) {
        ending = at;
        return await carrier.finish(at);
      }
      at = await carrier.send(at, at + limits.uploadPartBytes);
      faults = 0;
    } catch (error) {
      faults += 1;
      if (!carrier.passes(error) || faults > MOST_FAULTS) throw error;
      // Its answer may have been lost, and the piece not.
      at = null;
      await carrier.rest(faults);
    }
  }
}

/** A moment, longer each time; over at once when the browser says that it is online again. */
export function untilLineIsBack(time: number): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      globalThis.removeEventListener('online', end);
      resolve();
    };
    const timer = setTimeout(end, Math.min(30_000, 500 * 2 ** time));
    globalThis.addEventListener('online', end);
  });
}
