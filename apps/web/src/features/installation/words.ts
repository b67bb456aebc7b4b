import type { Translate } from '../../lib/i18n.ts';

/** A word of the locales; the name itself, where nobody has named it: another version may answer more. */
export function wordOf(t: Translate, key: string, name: string): string {
  const word = t(`${key}.${name}`);
  return word === `${key}.${name}` ? name : word;
}

/** 12.345 ms as one reads it: `0,4 ms`, `850 ms`, `12,3 s`. */
export function formatMs(ms: number, language: string): string {
  const number = (value: number, digits: number) => new Intl.NumberFormat(language, { maximumFractionDigits: digits }).format(value);
  if (ms >= 1000) return `${number(ms / 1000, 1)} s`;
  return `${number(ms, ms < 10 ? 1 : 0)} ms`;
}

/** So many seconds in the two largest units: `3 d 4 h`, `12 min 5 s`. */
export function formatDuration(seconds: number): string {
  const units = [
    [86_400, 'd'],
    [3600, 'h'],
    [60, 'min'],
    [1, 's'],
  ] as const;
  let left = Math.max(0, Math.floor(seconds));
  const parts: string[] = [];
  for (const [size, name] of units) {
    const count = Math.floor(left / size);
    left -= count * size;
    if (count > 0 || (name === 's' && parts.length === 0)) parts.push(`${count} ${name}`);
  }
  return parts.slice(0, 2).join(' ');
}
