import { formatNumber } from '../../pdf/serialize.ts';
import { hexText } from '../../pdf/hex.ts';
import type { FormFont } from './simple-font.ts';

/** Text of a field, and the box it is laid out in (its border taken off already where `inset` says so). */
export interface FieldText {
  readonly text: string;
  readonly font: FormFont;
  /** 0: as large as fits. */
  readonly size: number;
  readonly color: string;
  readonly width: number;
  readonly height: number;
  /** The width of the border on each side. */
  readonly border: number;
  /** 0 left, 1 centred, 2 right. */
  readonly quadding: number;
  /** The cells of a comb, or 0. */
  readonly comb: number;
}

interface Glyph {
  readonly bytes: readonly number[];
  readonly width: number;
}

/** Where text begins, from the border. */
const margin = 2;
/** Of a line's height, what the letters take: as readers do, the baseline stands this much of the size below the middle. */
const belowMiddle = 0.4;
const largestAuto = 20;
/** Above the first of many lines. */
const above = 3;

/** One line, a comb too: `BT … ET`. */
export function singleLine(field: FieldText): string {
  const glyphs = glyphsOf(field.text.replaceAll(/[\r\n\t]+/g, ' '), field.font);
  if (field.comb > 0) return combLine(field, glyphs);
  const em = widthOf(glyphs) / 1000;
  const inner = field.width - 2 * (field.border + margin);
  const fitting = Math.min(field.height - 2 * field.border, em > 0 ? inner / em : Infinity);
  const size = field.size > 0 ? field.size : Math.max(1, Math.floor(fitting));
  const x = startOf(field, em * size);
  const y = 0.5 * field.height - belowMiddle * size;
  return block(field, size, [`${numbers(x, y)} Td ${shown(glyphs)} Tj`]);
}

/** MaxLen cells of one width, a letter in the middle of each (§12.7.5.3). */
function combLine(field: FieldText, glyphs: Glyph[]): string {
  const cell = field.width / field.comb;
  const size = field.size > 0 ? field.size : Math.max(1, Math.floor(Math.min(field.height, cell)));
  const free = Math.max(0, field.comb - glyphs.length);
  const skipped = field.quadding === 2 ? free : field.quadding === 1 ? Math.floor(free / 2) : 0;
  const y = 0.5 * field.height - belowMiddle * size;
  const lines = glyphs.map((glyph, index) => {
    const x = (skipped + index) * cell + (cell - (glyph.width / 1000) * size) / 2;
    return `1 0 0 1 ${numbers(x, y)} Tm ${shown([glyph])} Tj`;
  });
  return block(field, size, lines);
}

/** Lines that break at words, from the top. */
export function manyLines(field: FieldText): string {
  const inner = field.width - 2 * (field.border + margin);
  const broken = (size: number): Glyph[][] => breakLines(field.text, field.font, (inner * 1000) / size);
  let size = field.size;
  if (size === 0) {
    const fits = (candidate: number): boolean => field.height - above - broken(candidate).length * candidate >= 0.33 * candidate;
    for (size = largestAuto; size > 2 && !fits(size); size--);
  }
  const lines = broken(size).map((line, index) => {
    const x = startOf(field, (widthOf(line) / 1000) * size);
    return `1 0 0 1 ${numbers(x, field.height - above - (index + 1) * size)} Tm ${shown(line)} Tj`;
  });
  return block(field, size, lines);
}

/** The rows of a list box, from the top; those chosen on a coloured ground. */
export function listRows(field: FieldText, rows: readonly { readonly text: string; readonly chosen: boolean }[]): string {
  const all = rows.map(({ text, chosen }) => ({ glyphs: glyphsOf(text, field.font), chosen }));
  const widest = Math.max(1, ...all.map(({ glyphs }) => widthOf(glyphs)));
  const inner = field.width - 2 * (field.border + margin);
  const size = field.size > 0 ? field.size : Math.max(4, Math.min(12, Math.floor((inner * 1000) / widest)));
  const pitch = 1.1 * size;
  let out = '';
  for (const [index, { glyphs, chosen }] of all.entries()) {
    const y = field.height - above - (index + 1) * pitch;
    if (y + pitch < 0) break;
    if (chosen) out += `q 0.6 0.75686 0.8549 rg ${numbers(field.border, y, field.width - 2 * field.border, pitch)} re f Q\n`;
    out += block(field, size, [`${numbers(startOf(field, (widthOf(glyphs) / 1000) * size), y + 0.22 * size)} Td ${shown(glyphs)} Tj`]);
  }
  return out;
}

function block(field: FieldText, size: number, lines: readonly string[]): string {
  return `BT\n/F0 ${numbers(size)} Tf ${field.color}\n${lines.join('\n')}\nET\n`;
}

function startOf(field: FieldText, width: number): number {
  if (field.quadding === 1) return (field.width - width) / 2;
  if (field.quadding === 2) return field.width - field.border - margin - width;
  return field.border + margin;
}

/** Characters the font does not have, as it turns out, are named. */
export class MissingCharacters extends Error {
  readonly characters: string;
  constructor(characters: string) {
    super('characters that the font does not have');
    this.characters = characters;
  }
}

function glyphsOf(text: string, font: FormFont): Glyph[] {
  const glyphs: Glyph[] = [];
  let missing = '';
  for (const character of text.normalize('NFC')) {
    const glyph = font.glyph(character);
    if (glyph === null) missing += character;
    else glyphs.push(glyph);
  }
  if (missing !== '') throw new MissingCharacters([...new Set(missing)].slice(0, 20).join(''));
  return glyphs;
}

/** Lines of at most `width` (1/1000 em); a word wider than that is broken inside. */
function breakLines(text: string, font: FormFont, width: number): Glyph[][] {
  const lines: Glyph[][] = [];
  for (const paragraph of text.replaceAll('\t', ' ').split(/\r\n|\r|\n/)) {
    let line: Glyph[] = [];
    for (const word of paragraph.split(/(?<= )/)) {
      const glyphs = glyphsOf(word, font);
      // A space at the end of a line takes no room.
      const visible = word.endsWith(' ') ? glyphs.slice(0, -1) : glyphs;
      if (line.length > 0 && widthOf(line) + widthOf(visible) > width) {
        lines.push(line);
        line = [];
      }
      for (const glyph of glyphs) {
        if (line.length > 0 && widthOf(line) + glyph.width > width && glyphs.length > 1 && visible.includes(glyph)) {
          lines.push(line);
          line = [];
        }
        line.push(glyph);
      }
    }
    lines.push(line);
  }
  return lines;
}

function widthOf(glyphs: readonly Glyph[]): number {
  return glyphs.reduce((sum, { width }) => sum + width, 0);
}

function shown(glyphs: readonly Glyph[]): string {
  return `<${hexText(Uint8Array.from(glyphs.flatMap(({ bytes }) => bytes)))}>`;
}

function numbers(...values: number[]): string {
  return values.map((value) => formatNumber(Math.round(value * 1000) / 1000)).join(' ');
}
