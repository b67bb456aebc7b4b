import type { Translate } from '../../../lib/i18n.ts';

const systems: readonly (readonly [RegExp, string])[] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'Mac'],
  [/CrOS/, 'Chromebook'],
  [/Linux/, 'Linux'],
];

/** What a new passkey is called until its holder says otherwise: where it was made. */
export function nameOfThisDevice(t: Translate): string {
  const system = systems.find(([shape]) => shape.test(navigator.userAgent))?.[1];
  return system ? t('passkey.nameOf', { system }) : t('passkey.name');
}
