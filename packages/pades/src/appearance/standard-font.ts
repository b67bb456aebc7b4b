import { PadesError } from '../errors.ts';
import { PdfName, dict } from '../pdf/objects.ts';
import type { PdfDict, PdfRef } from '../pdf/objects.ts';
import { hexText } from '../pdf/hex.ts';
import type { TextFontName } from './appearance.ts';
import { helveticaWidths, timesRomanWidths } from './standard-widths.ts';
import { winAnsiUpper } from './encodings.ts';
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

/** The WinAnsi bytes of a text; TEXT_NOT_ENCODABLE names what has none. */
export function winAnsi(text: string): Uint8Array {
  const bytes: number[] = [];
  let missing = '';
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    const high = winAnsiUpper.indexOf(point);
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
