const two = '2-digit' as const;
const shape = { day: two, month: two, year: 'numeric', hour: two, minute: two, second: two, hourCycle: 'h23' } as const;
const formats = new Map<string, Intl.DateTimeFormat>();

/** An instant as it is written in every language here: days before months, four digits of a year, 24 hours. */
export interface WrittenInstant {
  /** DD/MM/YYYY. */
  readonly date: string;
  /** HH:mm. */
  readonly time: string;
  /** HH:mm:ss. */
  readonly exactTime: string;
}

/** Writes an instant as a zone's clocks show it. @throws RangeError for a zone that is none, and an instant that is none */
export function writtenInstant(instant: Date, zone: string): WrittenInstant {
  const format = formats.get(zone) ?? new Intl.DateTimeFormat('pt-BR', { ...shape, timeZone: zone });
  formats.set(zone, format);
  const parts = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, value]));
  const time = `${parts['hour']}:${parts['minute']}`;
  return { date: `${parts['day']}/${parts['month']}/${parts['year']}`, time, exactTime: `${time}:${parts['second']}` };
}
