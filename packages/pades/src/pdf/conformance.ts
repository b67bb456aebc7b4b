import { PadesError } from '../errors.ts';
import { keptReading } from './kept-reading.ts';
import { PdfStream } from './objects.ts';
import { catalogOf } from './pages.ts';
import type { Pdf } from './pdf.ts';

/** What a file says of itself in its metadata; whether it is true, nobody checks here. */
export interface Conformance {
  /** ISO 19005: e.g. part 2, level B; part 4 has none or E, F. */
  readonly pdfA: { readonly part: number; readonly level: string | null } | null;
  /** ISO 14289: its part. */
  readonly pdfUa: number | null;
}

const knownLevels: Readonly<Record<number, readonly (string | null)[]>> = {
  1: ['A', 'B'],
  2: ['A', 'B', 'U'],
  3: ['A', 'B', 'U'],
  4: [null, 'E', 'F'],
};

/** What signing adds can conform to what is claimed: parts and levels whose rules are known here, and tags where they ask for tags. */
export function canBeKept({ pdfA, pdfUa }: Conformance, tagged: boolean): boolean {
  if (pdfA !== null && knownLevels[pdfA.part]?.includes(pdfA.level) !== true) return false;
  if (pdfUa !== null && pdfUa !== 1 && pdfUa !== 2) return false;
  return tagged || (pdfA?.level !== 'A' && pdfUa === null);
}

const none: Conformance = { pdfA: null, pdfUa: null };
const maxMetadata = 4 << 20;
const names = { pdfA: 'http://www.aiim.org/pdfa/ns/id/', pdfUa: 'http://www.aiim.org/pdfua/ns/id/' };

/** PDF/A and PDF/UA as the catalog's XMP claims them; read once. What cannot be read claims nothing. */
export const readConformance: (pdf: Pdf) => Promise<Conformance> = keptReading(claimsOf);

async function claimsOf(pdf: Pdf): Promise<Conformance> {
  try {
    const metadata = await pdf.resolve((await catalogOf(pdf)).dict.get('Metadata'));
    const data = metadata instanceof PdfStream ? await pdf.streamData(metadata) : null;
    if (data === null || data.length > maxMetadata) return none;
    const text = decoded(data);
    const part = valueOf(text, names.pdfA, 'part', String.raw`\d`);
    const level = valueOf(text, names.pdfA, 'conformance', '[A-Za-z]');
    const ua = valueOf(text, names.pdfUa, 'part', String.raw`\d`);
    return {
      pdfA: part === null ? null : { part: Number(part), level: level?.toUpperCase() ?? null },
      pdfUa: ua === null ? null : Number(ua),
    };
  } catch (error) {
    if (error instanceof PadesError && error.code === 'DAMAGED') return none;
    throw error;
  }
}

function decoded(data: Uint8Array): string {
  const [first, second] = data;
  const label = first === 0xfe && second === 0xff ? 'utf-16be' : first === 0xff && second === 0xfe ? 'utf-16le' : 'utf-8';
  return new TextDecoder(label).decode(data);
}

/** A property, as an attribute or an element, under whatever prefix its namespace has. */
function valueOf(text: string, namespace: string, property: string, value: string): string | null {
  const declared = new RegExp(String.raw`xmlns:([A-Za-z_][\w.-]{0,32})\s*=\s*["']${namespace}["']`).exec(text);
  const prefix = declared?.[1];
  if (prefix === undefined) return null;
  const name = `${prefix.replaceAll('.', String.raw`\.`)}:${property}`;
  const found = new RegExp(String.raw`${name}\s*=\s*["']\s*(${value})\s*["']|<${name}(?:\s[^<>]{0,512})?>\s*(${value})\s*<`).exec(text);
  return found?.[1] ?? found?.[2] ?? null;
}
