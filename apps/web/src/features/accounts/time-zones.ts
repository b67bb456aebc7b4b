import { zoneName } from '../../lib/format.ts';
import type { Translate } from '../../lib/i18n.ts';

/** Brazil's, from the most people to the fewest; the others follow by name. */
const BRAZIL = [
  'America/Sao_Paulo',
  'America/Bahia',
  'America/Fortaleza',
  'America/Recife',
  'America/Belem',
  'America/Maceio',
  'America/Araguaina',
  'America/Manaus',
  'America/Cuiaba',
  'America/Campo_Grande',
  'America/Porto_Velho',
  'America/Boa_Vista',
  'America/Rio_Branco',
  'America/Noronha',
];

/** Every zone that this browser knows, by the place that names it, and as people of the language call it; the account's own among them. */
export function timeZones(language: string, own: string, t: Translate): { id: string; text: string }[] {
  const known = Intl.supportedValuesOf('timeZone');
  const names = [...new Set([...BRAZIL, own, ...known])];
  return names.map((id) => ({ id, text: `${placeOf(id, t)} · ${zoneName(id, language)}` }));
}

/** Names of zones have neither accents nor the whole of every name. */
const written = ['Sao_Paulo', 'Belem', 'Maceio', 'Araguaina', 'Cuiaba', 'Noronha'];

function placeOf(id: string, t: Translate): string {
  const place = id.slice(id.lastIndexOf('/') + 1);
  return written.includes(place) ? t(`settings.place.${place}`) : place.replaceAll('_', ' ');
}
