import type { Work } from './work.ts';

export interface NumberRange {
  readonly first: number;
  readonly count: number;
}

const few = 16;

/**
 * Finds the range that holds a number. Files may have a hundred thousand ranges of one number each: those are searched by
 * halves. Ranges that overlap are looked through one by one, `order` saying which of several is in force.
 */
export function rangeFinder<T extends NumberRange>(
  ranges: readonly T[],
  order: 'first' | 'last',
  work: Work,
): (num: number) => T | undefined {
  const holds = (one: T, num: number): boolean => num >= one.first && num < one.first + one.count;
  const sorted = ranges.toSorted((a, b) => a.first - b.first);
  const overlap = sorted.some((one, index) => index > 0 && end(sorted[index - 1]) > one.first);
  if (overlap || ranges.length <= few) {
    return (num) => {
      work.spend(ranges.length);
      return order === 'first' ? ranges.find((one) => holds(one, num)) : ranges.findLast((one) => holds(one, num));
    };
  }
  return (num) => {
    let low = 0;
    let high = sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (end(sorted[middle]) <= num) low = middle + 1;
      else high = middle;
    }
    const found = sorted[low];
    return found !== undefined && holds(found, num) ? found : undefined;
  };
}

function end(range: NumberRange | undefined): number {
  return range === undefined ? 0 : range.first + range.count;
}
