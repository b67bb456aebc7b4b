import { PadesError } from '../errors.ts';
import { PdfName, dict } from '../pdf/objects.ts';
import type { PdfDict, PdfRef } from '../pdf/objects.ts';
import { hexText } from '../pdf/serialize.ts';
import type { TextFontName } from './appearance.ts';
import { helveticaWidths, timesRomanWidths } from './standard-widths.ts';
import type { TextFont } from './text-font.ts';

interface Metrics {
  baseFont: string;
  ascent: number;
  descent: number;
  widths: readonly number[] | null;
}

const standard: Record<TextFontName, Metrics> = {
  HELVETICA: { baseFont: 'Helvetica', ascent: 0.718, descent: 0.207, widths: helveticaWidths },
  TIMES_ROMAN: { baseFont: 'Times-Roman', ascent: 0.683, descent: 0.217, widths: timesRomanWidths },
  COURIER: { baseFont: 'Courier', ascent: 0.629, descent: 0.157, widths: null },
};

/** Code points of WinAnsi 0x80–0x9f (ISO 32000-2 Annex D); 0 where undefined. */
const upper = [
  0x20ac, 0, 0x201a, 0x192, 0x201e, 0x2026, 0x2020, 0x2021, 0x2c6, 0x2030, 0x160, 0x2039, 0x152, 0, 0x17d, 0, 0, 0x2018, 0x2019, 0x201c,
  0x201d, 0x2022, 0x2013, 0x2014, 0x2dc, 0x2122, 0x161, 0x203a, 0x153, 0, 0x17e, 0x178,
];

/** The WinAnsi bytes of a text; TEXT_NOT_ENCODABLE names what has none. */
export function winAnsi(text: string): Uint8Array {
  const bytes: number[] = [];
  let missing = '';
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    const high = upper.indexOf(point);
    if ((point >= 32 && point < 127) || (point >= 0xa0 && point <= 0xff)) bytes.push(point);
    else if (high >= 0 && point !== 0) bytes.push(0x80 + high);
    else missing += character;
  }
  if (missing !== '') {
    throw new PadesError('TEXT_NOT_ENCODABLE', undefined, { characters: missing });
  }
  return Uint8Array.from(bytes);
}

/** One of the 14 standard fonts, not embedded, in WinAnsi. */
export class StandardFont implements TextFont {
  readonly ref: PdfRef;
  readonly ascent: number;
  readonly descent: number;
  private readonly metrics: Metrics;

  constructor(ref: PdfRef, font: TextFontName) {
    this.ref = ref;
    this.metrics = standard[font];
    this.ascent = this.metrics.ascent;
    this.descent = this.metrics.descent;
  }

  width(text: string): number {
    let total = 0;
    for (const code of winAnsi(text)) total += this.metrics.widths?.[code] ?? 600;
    return total / 1000;
  }

  encode(text: string): string {
    return `<${hexText(winAnsi(text))}>`;
  }

  object(): PdfDict {
    return dict({
      Type: new PdfName('Font'),
      Subtype: new PdfName('Type1'),
      BaseFont: new PdfName(this.metrics.baseFont),
      Encoding: new PdfName('WinAnsiEncoding'),
    });
  }
}
