import { PadesError } from '../errors.ts';

/** Object numbers `first` to `first + count - 1`. */
export interface NumberRange {
  readonly first: number;
  readonly count: number;
}

/** As many as are looked through one by one; also where ranges overlap, which no writer does on purpose. */
const few = 64;
const maxOverlapping = 4096;

/**
 * Finds the range a number is in: by bisection, since an update may name each of a hundred thousand objects in a range of
 * its own, and every one of them is looked up. Where ranges overlap, `wins` says which counts.
 */
export function rangeFinder<T extends NumberRange>(ranges: readonly T[], wins: 'first' | 'last'): (num: number) => T | undefined {
  const holds = ({ first, count }: NumberRange, num: number): boolean => num >= first && num < first + count;
  const oneByOne = (num: number): T | undefined =>
    wins === 'first' ? ranges.find((one) => holds(one, num)) : ranges.findLast((one) => holds(one, num));
  if (ranges.length <= few) return oneByOne;
  const sorted = ranges.filter(({ count }) => count > 0).toSorted((a, b) => a.first - b.first);
  const overlap = sorted.some(({ first }, index) => {
    const before = sorted[index - 1];
    return before !== undefined && before.first + before.count > first;
  });
  if (overlap && ranges.length > maxOverlapping) throw new PadesError('TOO_COMPLEX', 'too many overlapping subsections');
  if (overlap) return oneByOne;
  return (num) => {
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sorted[middle]?.first ?? 0) <= num) low = middle + 1;
      else high = middle;
    }
    const found = sorted[low - 1];
    return found !== undefined && holds(found, num) ? found : undefined;
  };
}
