import type { PdfRef } from '../pdf/objects.ts';

/** A font as the layout and the content stream need it. Sizes as fractions of the em. */
export interface TextFont {
  /** The font's object; defined when the builder finishes. */
  readonly ref: PdfRef;
  readonly ascent: number;
  readonly descent: number;
  /** Width of a text at size 1. Throws TEXT_NOT_ENCODABLE. */
  width(text: string): number;
  /** The operand of Tj for a text, brackets included. */
  encode(text: string): string;
}
