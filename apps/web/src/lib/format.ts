import { writtenInstant } from '@lavra/domain';
import { timeZone } from './zone.ts';

/** What people of a language call a zone: "Horário de Brasília". */
export function zoneName(name: string, language: string): string {
  const parts = new Intl.DateTimeFormat(language, { timeZone: name, timeZoneName: 'longGeneric' }).formatToParts(new Date());
  const called = parts.find(({ type }) => type === 'timeZoneName')?.value ?? name;
  return called.charAt(0).toUpperCase() + called.slice(1);
}

/** DD/MM/YY HH:mm of the specification (no comma, which `Intl` would put). */
export function formatDateTime(iso: string | null): string {
  if (!iso) return '—';
  const { date, time } = writtenInstant(new Date(iso), timeZone());
  return `${date.slice(0, 6)}${date.slice(8)} ${time}`;
}

/** DD/MM/YYYY and HH:mm of an instant, in the user's zone or another one, for the two fields of a deadline. */
export function splitDateTime(iso: string, name: string = timeZone()): { date: string; time: string } {
  const { date, time } = writtenInstant(new Date(iso), name);
  return { date, time };
}

/** The instant of a DD/MM/YYYY and HH:mm in the user's zone; null when it is not a date. */
export function joinDateTime(date: string, time: string): string | null {
  const d = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(date);
  const t = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(time);
  if (!d || !t) return null;
  const wall = Date.UTC(Number(d[3]), Number(d[2]) - 1, Number(d[1]), Number(t[1]), Number(t[2]));
  if (Number.isNaN(wall)) return null;
  // The offset at that moment: what the zone shows minus what was meant.
  const shown = splitDateTime(new Date(wall).toISOString());
  const back = Date.UTC(
    Number(shown.date.slice(6)),
    Number(shown.date.slice(3, 5)) - 1,
    Number(shown.date.slice(0, 2)),
    Number(shown.time.slice(0, 2)),
    Number(shown.time.slice(3)),
  );
  const instant = new Date(wall - (back - wall)).toISOString();
  const again = splitDateTime(instant);
  return again.date === date && again.time === time ? instant : null;
}

/** In kB, from a MB on in MB, as the page's language writes numbers; at least one kB. */
export function formatBytes(bytes: number | null, language = document.documentElement.lang || 'pt-BR'): string {
  if (bytes === null) return '—';
  if (bytes < 1024 * 1024) return `${Math.max(1, Math.round(bytes / 1024))} kB`;
  return `${new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(bytes / 1024 / 1024)} MB`;
}

/** 1.000.000, as the page's language writes it. */
export function formatCount(count: number): string {
  return new Intl.NumberFormat(document.documentElement.lang || 'pt-BR').format(count);
}

/** "Ana, Bia e Caio", as the page's language joins names. */
export function listNames(names: readonly string[]): string {
  return new Intl.ListFormat(document.documentElement.lang || 'pt-BR').format(names);
}
