import { usualTimeZone, writtenInstant } from '@lavra/domain';

/** DD/MM/YYYY HH:mm (with seconds on demand) in the legal time of Brasília. */
export function formatInstant(instant: Date, withSeconds = false): string {
  const { date, time, exactTime } = writtenInstant(instant, usualTimeZone);
  return `${date} ${withSeconds ? exactTime : time}`;
}
