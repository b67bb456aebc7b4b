import { usualTimeZone, writtenInstant } from '@lavra/domain';

let zone: string = usualTimeZone;

/** The zone in which this browser's user sees instants and chooses deadlines: their account's, else the product's. */
export function timeZone(): string {
  return zone;
}

/** Takes the zone of whoever is signed in; one that this browser does not know is shown as the product's. */
export function showIn(name: string | undefined): void {
  try {
    writtenInstant(new Date(0), name ?? usualTimeZone);
    zone = name ?? usualTimeZone;
  } catch {
    zone = usualTimeZone;
  }
}
