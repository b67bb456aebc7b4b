import { deflateSync } from 'node:zlib';
import * as fontkit from 'fontkit';
import { boldFont, regularFont } from './fonts.ts';
import { numeral } from './pdf-objects.ts';

/** A glyph where it stands in a word; lengths in thousandths of the letters' size. */
export interface PlacedGlyph {
  readonly id: number;
  readonly codePoints: readonly number[];
  /** Of the glyph by itself. */
  readonly width: number;
  /** Up to the next glyph. */
  readonly advance: number;
  /** Away from the line: marks over letters that have no form with them. */
  readonly offset: readonly [number, number] | null;
}

/** A word as it is set. */
export interface Run {
  readonly width: number;
  /** What is between the brackets of its string, where our usual letters do (`shownGlyphs`); null: as a document's own glyphs. */
  readonly shown: string | null;
  readonly glyphs: readonly PlacedGlyph[];
}

/** A text as it is set; its width as a run's. */
export interface SetText {
  readonly runs: readonly Run[];
  readonly width: number;
}

/** A font's file with the glyphs that a document needs, and what is said of them by their numbers in it. */
export interface Cut {
  /** Packed. */
  readonly file: Uint8Array;
  readonly fileLength: number;
  /** As the document has them. */
  readonly widths: string;
  readonly codePoints: readonly (readonly number[])[];
}

/** Words that are kept: of our own sentences there are some hundreds, the rest are names. */
const MOST_WORDS = 5000;

/**
 * Hashes and identifiers, words that they are in, and what they are broken into. Each comes once: to look for pairs and ligatures in them, and to
 * keep them, costs more than all the words.
 */
const CODE = /[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|^(?=.*\d)(?=.*[a-f])[0-9a-f]{4,12}-? ?$/;

/**
 * In every font that is cut out, and in this order: what papers in our three languages are written with. A paper that needs no other letter, as nearly
 * all do, has the font's file that is kept: to cut it out and to pack it takes longer than to set the page.
 */
const USUAL = [
  ...Array.from({ length: 0x7f - 0x20 }, (_, index) => String.fromCodePoint(0x20 + index)),
  ...marked('aeiouAEIOU', '\u0301'),
  ...marked('aeoAEO', '\u0302'),
  ...marked('aonAON', '\u0303'),
  ...marked('cC', '\u0327'),
  ...marked('aA', '\u0300'),
  ...marked('uU', '\u0308'),
  ...'“”‘’·–—…°§€',
  // What numbers in order end with, and what Spanish questions begin with.
  ...String.fromCodePoint(0xaa, 0xba, 0xa1, 0xbf),
  'ff',
  'ft',
];

/** Letters with a mark over or below each. */
function marked(letters: string, mark: string): string[] {
  return Array.from(letters, (letter) => (letter + mark).normalize('NFC'));
}

/** One of our fonts: what is parsed of it and known of its words belongs to the program, not to a document. */
export class Letters {
  readonly font: fontkit.Font;
  readonly scale: number;
  /** From line to line, and from a line's top down to what its letters stand on: of letters of the size 1000. */
  readonly lineHeight: number;
  readonly ascent: number;
  /** Glyphs of the usual letters, by their numbers in what is cut out. */
  readonly usual = new Map<number, number>();
  private readonly usualGlyphs: { width: number; codePoints: readonly number[] }[] = [];
  /** Letters that have a glyph of their own among the usual ones, and what the first of two is where the second follows it. */
  private readonly single = new Map<string, PlacedGlyph>();
  private readonly pairs = new Map<string, Run | null>();
  /** Kept in two halves: when the newer is full, the older goes. */
  private words = new Map<string, Run>();
  private olderWords = new Map<string, Run>();
  private usualCut: Cut | null = null;

  constructor(bytes: Buffer) {
    const font = fontkit.create(bytes);
    if (!('createSubset' in font)) throw new Error('a collection of fonts');
    this.font = font;
    this.scale = 1000 / font.unitsPerEm;
    nameGlyphs(font);
    const empty = font.getGlyph(0);
    this.makeUsual({ id: 0, width: empty.advanceWidth * this.scale, codePoints: [0] });
    for (const letter of USUAL) {
      const glyphs = this.lay(letter);
      for (const glyph of glyphs) this.makeUsual(glyph);
      if (glyphs[0] && letter.length === 1) this.single.set(letter, glyphs[0]);
    }
    const { ascent, descent, lineGap } = font;
    this.lineHeight = (ascent + lineGap - descent) * this.scale;
    this.ascent = ascent * this.scale;
  }

  /** A text in its words, each with the space that follows it. */
  set(text: string): SetText {
    const runs: Run[] = [];
    let width = 0;
    for (let start = 0, end = 0; start < text.length; start = end) {
      while (end < text.length && !isSpace(text.codePointAt(end))) end += 1;
      end += 1;
      const run = this.run(text.slice(start, end));
      width += run.width;
      runs.push(run);
    }
    return { runs, width };
  }

  private run(word: string): Run {
    const known = this.words.get(word);
    if (known) return known;
    if (CODE.test(word)) return this.letterByLetter(word);
    const run = this.olderWords.get(word) ?? this.fromPairs(word) ?? this.runOf(this.lay(word));
    if (this.words.size >= MOST_WORDS / 2) [this.olderWords, this.words] = [this.words, new Map()];
    this.words.set(word, run);
    return run;
  }

  private letterByLetter(word: string): Run {
    let width = 0;
    let shown = '';
    for (const letter of word) {
      const run = this.run(letter);
      if (run.shown === null) return this.runOf(Array.from(word).flatMap((one) => this.lay(one)));
      width += run.width;
      shown += run.shown;
    }
    return { width, shown, glyphs: [] };
  }

  /** A word of usual letters, of which no two become one: it is set as its pairs are. Null: another. */
  private fromPairs(word: string): Run | null {
    let width = 0;
    let shown = '';
    for (let index = 0; index < word.length; index += 1) {
      const run = this.pair(word.slice(index, index + 2));
      if (run === null) return null;
      width += run.width;
      shown += run.shown ?? '';
    }
    return { width, shown, glyphs: [] };
  }

  /** The first of two letters, as far as the second moves it; of one, that one. */
  private pair(letters: string): Run | null {
    const known = this.pairs.get(letters);
    if (known !== undefined) return known;
    const alone = Array.from(letters, (letter) => this.single.get(letter));
    if (alone.includes(undefined)) return null;
    const laid = this.lay(letters);
    const isApart = laid.length === alone.length && laid.every((glyph, index) => glyph.id === alone[index]?.id && glyph.offset === null);
    const run = isApart ? this.runOf(laid.slice(0, 1)) : null;
    this.pairs.set(letters, run);
    return run;
  }

  private runOf(glyphs: readonly PlacedGlyph[]): Run {
    const width = glyphs.reduce((sum, { advance }) => sum + advance, 0);
    const isUsual = glyphs.every(({ id, offset }) => offset === null && this.usual.has(id));
    return isUsual
      ? { width, shown: shownGlyphs(glyphs, ({ id }) => this.usual.get(id) ?? 0), glyphs: [] }
      : { width, shown: null, glyphs };
  }

  private lay(text: string): PlacedGlyph[] {
    const { glyphs, positions } = this.font.layout(text);
    return glyphs.map(({ id, codePoints, advanceWidth }, index) => {
      const { xAdvance = advanceWidth, xOffset = 0, yOffset = 0 } = positions[index] ?? {};
      const offset = xOffset === 0 && yOffset === 0 ? null : ([xOffset * this.scale, yOffset * this.scale] as const);
      return { id, codePoints, width: advanceWidth * this.scale, advance: xAdvance * this.scale, offset };
    });
  }

  private makeUsual({ id, width, codePoints }: Pick<PlacedGlyph, 'id' | 'width' | 'codePoints'>): void {
    if (this.usual.has(id)) return;
    this.usual.set(id, this.usual.size);
    this.usualGlyphs.push({ width, codePoints });
  }

  /** The font with the usual letters and, behind them, others; with the usual ones alone it is kept. */
  cut(others: readonly PlacedGlyph[]): Cut {
    if (others.length === 0 && this.usualCut) return this.usualCut;
    const subset = this.font.createSubset();
    for (const id of [...this.usual.keys(), ...others.map((glyph) => glyph.id)]) subset.includeGlyph(this.font.getGlyph(id));
    const file = subset.encode();
    const glyphs = [...this.usualGlyphs, ...others];
    const cut: Cut = {
      file: deflateSync(file, { level: 9 }),
      fileLength: file.length,
      widths: glyphs.map(({ width }) => numeral(width)).join(' '),
      codePoints: glyphs.map(({ codePoints }) => codePoints),
    };
    if (others.length === 0) this.usualCut = cut;
    return cut;
  }
}

function isSpace(codePoint: number | undefined): boolean {
  return codePoint === 0x20 || codePoint === 0x09;
}

/**
 * Two bytes a glyph, and where two are drawn closer or wider, the string ends and the next one begins (ISO 32000-2 §9.4.3, TJ):
 * what stands between the first bracket and the last.
 */
export function shownGlyphs(glyphs: readonly PlacedGlyph[], numberOf: (glyph: PlacedGlyph) => number): string {
  let shown = '';
  for (const glyph of glyphs) {
    const number = numberOf(glyph);
    shown += byteShown(number >> 8) + byteShown(number & 0xff);
    if (glyph.advance !== glyph.width) shown += `)${numeral(glyph.width - glyph.advance)}(`;
  }
  return shown;
}

/** Brackets and backslashes are escaped, and what a reader would take for another end of the line. */
function byteShown(byte: number): string {
  const character = String.fromCodePoint(byte);
  if (character === '\r') return '\\r';
  return '()\\'.includes(character) ? `\\${character}` : character;
}

/**
 * Asks for every letter by its name. A font that is kept remembers a glyph as it was first asked for: as a part of another one, which
 * is how a subset asks for it (’ in ”, a in ã), it would have no name, and text could be seen but neither read aloud nor copied.
 */
function nameGlyphs(font: fontkit.Font): void {
  for (const codePoint of font.characterSet) {
    const character = String.fromCodePoint(codePoint);
    const plain = character.normalize('NFKC');
    // A ligature is called by the letters that it stands for.
    if (plain === character) font.glyphForCodePoint(codePoint);
    else font.layout(plain);
  }
}

export type Weight = 'regular' | 'bold';

/** Parsed once in a program, however many documents are drawn. */
export const letters: Readonly<Record<Weight, Letters>> = { regular: new Letters(regularFont), bold: new Letters(boldFont) };
