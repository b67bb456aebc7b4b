import type { Catch, Hunt } from './hunt.ts';

/** Marks in `performance.now()`. */
export interface Span {
  readonly lanes: number;
  readonly until: number;
  /** So many milliseconds later nothing is waited for any more. */
  readonly grace: number;
  /** The seed that each lane has in hand. */
  readonly inHand: Int32Array;
}

/** Resolves with false when the work has not ended by then. */
export async function endsBy(mark: number, work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), Math.max(0, mark - performance.now()));
  });
  return Promise.race([work.then(() => true), tooLate]).finally(() => clearTimeout(timer));
}

/**
 * Hunts from a seed on, in lanes: while one waits for its pictures, another is judged. It ends in time whatever hangs; the next
 * seed, and those that were left in the middle.
 */
export async function huntSeeds(
  hunt: Hunt,
  first: number,
  { lanes, until, grace, inHand }: Span,
  keep: (found: Catch) => void,
): Promise<{ next: number; left: number[] }> {
  let next = first;
  const isDue = (): boolean => performance.now() >= until;
  const lane = async (index: number): Promise<void> => {
    while (!isDue()) {
      inHand[index] = next;
      for await (const found of hunt.go(next++, isDue)) keep(found);
    }
    inHand[index] = 0;
  };
  const work = Promise.all(Array.from({ length: lanes }, (_, index) => lane(index)));
  const ended = await endsBy(until + grace, work);
  return { next, left: ended ? [] : [...inHand].filter((seed) => seed > 0) };
}
