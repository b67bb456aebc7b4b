import { deflateSync } from 'node:zlib';
import { boldFont, regularFont } from './fonts.ts';
import type { Doc } from './sheets.ts';

/** What pdfkit keeps of a document's fonts. Not in its types: the version is pinned, and a test compares with what it does by itself. */
interface KeepsFonts {
  _fontFamilies: Record<string, Letters | undefined>;
  _fontCount: number;
}

/** A font in a document: its own subset over what was parsed. */
interface Letters {
  readonly font: {
    readonly characterSet: readonly number[];
    glyphForCodePoint(codePoint: number): unknown;
    layout(text: string): unknown;
  };
  readonly constructor: { new (pdf: Doc, font: Letters['font'], id: string): Letters; readonly prototype: Letters };
  document: { ref(data?: object): { compress: boolean; data: Record<string, unknown> } };
  readonly subset: { readonly glyphs: readonly number[]; encode(): Uint8Array };
  encode(text: string): unknown;
  embed(): void;
  /** Words with their glyphs, in no document's terms. */
  layoutCache: Record<string, Run>;
  layoutCached(text: string): Run;
}

/** Glyphs with where they stand, and how far they go in all. */
interface Run {
  readonly glyphs: readonly object[];
  readonly positions: readonly object[];
  readonly advanceWidth: number;
}

/** Words that are kept: of our own sentences there are some hundreds, the rest are names. */
const MOST_WORDS = 5000;

/**
 * Hashes and identifiers, words that they are in, and what they are broken into. Each comes once: to look for pairs and ligatures in them, and to
 * keep them, costs more than all the words.
 */
const CODE = /[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|^(?=.*\d)(?=.*[a-f])[0-9a-f]{4,12}-? ?$/;

/**
 * In every subset, and in this order: what papers in our three languages are written with. One that needs no other letter, as nearly all do,
 * has its font's file from the one before: to cut it out and to pack it took as long as to set the page (3 kB more for each font).
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

const parsed = new Map<string, Letters>();
/** The file of a font with the usual letters and no others, packed. */
const packed = new Map<string, Uint8Array>();

/**
 * Gives a document our letters, `regular` and `bold`. What is parsed of a font and known of its words belongs to the program and
 * not to the document: pdfkit does both anew each time, which was two thirds of what a page took to draw.
 */
export function useLetters(pdf: Doc): void {
  const keeper = pdf as unknown as KeepsFonts;
  for (const [name, bytes] of Object.entries({ regular: regularFont, bold: boldFont })) {
    pdf.registerFont(name, bytes);
    const known = parsed.get(name) ?? parse(pdf, name);
    if (Object.keys(known.layoutCache).length > MOST_WORDS) known.layoutCache = Object.create(null) as Letters['layoutCache'];
    keeper._fontCount += 1;
    const own = new known.constructor(pdf, known.font, `F${keeper._fontCount}`);
    own.layoutCache = known.layoutCache;
    own.layoutCached = (text) => (CODE.test(text) ? letterByLetter(own, text) : known.constructor.prototype.layoutCached.call(own, text));
    keeper._fontFamilies[name] = own;
    for (const letter of USUAL) own.encode(letter);
    cutOnce(own, name);
  }
}

function parse(pdf: Doc, name: string): Letters {
  pdf.font(name);
  const made = (pdf as unknown as KeepsFonts)._fontFamilies[name];
  if (!made) throw new Error(`pdfkit keeps no font ${name}`);
  parsed.set(name, named(made));
  return made;
}

/** A subset that has the usual letters alone when the document ends is written from the bytes that are kept. */
function cutOnce(own: Letters, name: string): void {
  const usual = own.subset.glyphs.length;
  const { document, subset } = own;
  const encode = subset.encode.bind(subset);
  own.embed = () => {
    if (subset.glyphs.length === usual) {
      const bytes = packed.get(name) ?? deflateSync(encode(), { level: 9 });
      packed.set(name, bytes);
      subset.encode = () => bytes;
      own.document = Object.create(document, { ref: { value: firstPacked(document) } }) as Letters['document'];
    }
    own.constructor.prototype.embed.call(own);
  };
}

/** The first object that a font asks for is its file. */
function firstPacked(document: Letters['document']): Letters['document']['ref'] {
  let isFirst = true;
  return (data) => {
    const reference = document.ref(data);
    if (isFirst) Object.assign(reference, { compress: false }).data['Filter'] = 'FlateDecode';
    isFirst = false;
    return reference;
  };
}

function letterByLetter(letters: Letters, text: string): Run {
  const runs = Array.from(text, (letter) => letters.layoutCached(letter));
  return {
    glyphs: runs.flatMap(({ glyphs }) => glyphs),
    positions: runs.flatMap(({ positions }) => positions),
    advanceWidth: runs.reduce((sum, run) => sum + run.advanceWidth, 0),
  };
}

/**
 * Asks for every letter by its name. A font that is kept remembers a glyph as it was first asked for: as a part of another one, which
 * is how a subset asks for it (’ in ”, a in ã), it would have no name, and the next document's text could be seen but neither read
 * aloud nor copied.
 */
function named(letters: Letters): Letters {
  const { font } = letters;
  for (const codePoint of font.characterSet) {
    const character = String.fromCodePoint(codePoint);
    const plain = character.normalize('NFKC');
    // A ligature is called by the letters that it stands for.
    if (plain === character) font.glyphForCodePoint(codePoint);
    else font.layout(plain);
  }
  return letters;
}
