import { latin1Text } from './objects.ts';
import type { Pdf } from './pdf.ts';

const headWindow = 4096;

/**
 * A first object that says Linearized and names the very length of the file (ISO 32000-2 Annex F) makes readers begin at the section
 * behind it instead of the last one. Whoever appends chooses the length: what was passed over while people signed is read then.
 * True when that other section is not the newest one.
 */
export async function beginsElsewhere(pdf: Pdf): Promise<boolean> {
  const { reader, source, bias } = pdf;
  const head = latin1Text(await reader.window(0, headWindow));
  const end = head.indexOf('endobj');
  const first = (end < 0 ? head : head.slice(0, end)).replaceAll(/#([0-9A-Fa-f]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  const start = head.search(/%PDF-/);
  if (!first.includes('Linearized')) return false;
  // Some count from the header, and some cut what is behind the point.
  const lengths = new Set([source.size, source.size - bias, source.size - Math.max(0, start)]);
  const isNamed = [...first.matchAll(/\d+(?:\.\d*)?/g)].some(
    ([number]) => lengths.has(Math.floor(Number(number))) || lengths.has(Math.round(Number(number))),
  );
  if (!isNamed) return false;
  const newest = (pdf.sections[0]?.position ?? -1) + bias;
  return end < 0 || newest < end + 6 || newest > head.length || /[^\0\t\n\f\r ]/.test(head.slice(end + 6, newest));
}
