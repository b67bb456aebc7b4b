import { PdfName } from '../pdf/objects.ts';
import type { PdfObject } from '../pdf/objects.ts';
import type { ColourSpaces } from '../pdf/requirements.ts';
import { formatNumber } from '../pdf/serialize.ts';

/** RGB, 0 to 1. */
export type Colour = readonly [number, number, number];

/**
 * How content says a colour: its operator, and the space to be named `name` in the resources where it is no device's. Black, white and
 * what lies between are gray, in any file: printers then use black alone.
 */
export function paintOf(
  colour: Colour,
  { gray, rgb }: ColourSpaces,
  name = 'C0',
  line = false,
): { operator: string; space: PdfObject | null } {
  const [red, green, blue] = colour;
  const isGray = red === green && green === blue;
  const space = isGray ? gray : rgb;
  const values = numbers(isGray ? [red] : [red, green, blue]);
  const [device, choose, set] = line ? [isGray ? 'G' : 'RG', 'CS', 'SC'] : [isGray ? 'g' : 'rg', 'cs', 'sc'];
  if (space instanceof PdfName) return { operator: `${values} ${device}`, space: null };
  return { operator: `/${name} ${choose} ${values} ${set}`, space };
}

/** As content writes them: to the thousandth. */
export function numbers(values: readonly number[]): string {
  return values.map((value) => formatNumber(Math.round(value * 1000) / 1000)).join(' ');
}
