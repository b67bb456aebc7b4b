import type { Pdf } from './pdf.ts';

interface Reading<T> {
  readonly recovered: boolean;
  readonly found: Promise<T>;
}

/**
 * A reading of an opened file that is made once and kept while the file is open: whoever signs asks for the same half a dozen times. What
 * comes back is shared: nobody changes it.
 */
export function keptReading<T>(read: (pdf: Pdf) => Promise<T>): (pdf: Pdf) => Promise<T> {
  const readings = new WeakMap<Pdf, Reading<T>>();
  return (pdf) => {
    const known = readings.get(pdf);
    // What was read before the cross-reference was rebuilt may be something else now.
    if (known?.recovered === pdf.recovered) return known.found;
    const reading = { recovered: pdf.recovered, found: read(pdf) };
    readings.set(pdf, reading);
    // What could not be read is asked for again.
    reading.found.catch(() => {
      if (readings.get(pdf) === reading) readings.delete(pdf);
    });
    return reading.found;
  };
}
