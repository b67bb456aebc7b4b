import type { Sentence } from './sheets.ts';

/** A place without a map: degrees with the half of the earth that they are on, as `place.north` … name it, and how sure they are. */
export function placeInWords(
  { latitude, longitude, accuracy }: { latitude: number; longitude: number; accuracy: number },
  t: Sentence,
): { latitude: string; longitude: string; accuracy: number } {
  const degrees = (value: number) => t('place.degrees', { whole: Math.trunc(value), part: (value % 1).toFixed(5).slice(2) });
  const said = (value: number, half: string) => t(`place.${half}`, { degrees: degrees(Number(Math.abs(value).toFixed(5))) });
  return {
    latitude: said(latitude, latitude < 0 ? 'south' : 'north'),
    longitude: said(longitude, longitude < 0 ? 'west' : 'east'),
    accuracy: Math.round(accuracy),
  };
}
