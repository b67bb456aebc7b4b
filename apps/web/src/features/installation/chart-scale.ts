/** What a chart's scale runs in: the smallest step that means something, bytes of a megabyte or one call. */
export type Unit = number;

/** From nothing to a round number above the highest value, in at most five steps, each a round number of units. */
export function scaleOf(most: number, unit: Unit): readonly number[] {
  const units = Math.max(1, most / unit);
  const rough = units / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, [1, 2, 5, 10].map((each) => each * power).find((each) => each >= rough * (1 - 1e-9)) ?? rough);
  const steps = Math.ceil(units / step - 1e-9);
  return Array.from({ length: steps + 1 }, (_, index) => index * step * unit);
}

/** The last hour up to the last of these moments, in seconds, with room for its mark; before the first one, up to now. */
export function hourOf(last: number | undefined, now: number): readonly [number, number] {
  const end = last ?? now;
  return [end - 3570, end + 30];
}
