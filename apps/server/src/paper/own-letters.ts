import { deflateSync } from 'node:zlib';
import { type Cut, type Letters, type PlacedGlyph, type Run, shownGlyphs } from './letters.ts';
import { numeral, type PdfObjects, refer } from './pdf-objects.ts';

/** A part of a line with a place of its own: how far it is from the line's beginning, and above it. */
export interface Piece {
  readonly at: readonly [number, number];
  readonly shown: string;
}

/** A font in a document, which has the usual letters and those that the document shows besides. */
export class OwnLetters {
  readonly letters: Letters;
  /** Of the resource and in the font's name. */
  readonly name: string;
  /** Its object, where something is written with it. */
  number: number | null = null;
  private readonly others = new Map<number, { readonly number: number; readonly glyph: PlacedGlyph }>();

  constructor(letters: Letters, name: string) {
    this.letters = letters;
    this.name = name;
  }

  /** A line in its strings: one, unless marks stand away from it. */
  pieces(runs: readonly Run[]): Piece[] {
    let line = '';
    for (const { shown } of runs) {
      if (shown === null) return this.placed(runs);
      line += shown;
    }
    return [{ at: [0, 0], shown: line }];
  }

  private placed(runs: readonly Run[]): Piece[] {
    const pieces: Piece[] = [];
    let along = 0;
    let piece = { at: [0, 0] as readonly [number, number], shown: '' };
    const next = (at: readonly [number, number]) => {
      if (piece.shown !== '') pieces.push(piece);
      piece = { at, shown: '' };
    };
    for (const { shown, width, glyphs } of runs) {
      if (shown !== null) {
        piece.shown += shown;
        along += width;
        continue;
      }
      for (const glyph of glyphs) {
        if (glyph.offset) next([along + glyph.offset[0], glyph.offset[1]]);
        piece.shown += shownGlyphs([glyph], (one) => this.numberOf(one));
        along += glyph.advance;
        if (glyph.offset) next([along, 0]);
      }
    }
    next([0, 0]);
    return pieces;
  }

  private numberOf(glyph: PlacedGlyph): number {
    const { usual } = this.letters;
    const known = usual.get(glyph.id) ?? this.others.get(glyph.id)?.number;
    if (known !== undefined) return known;
    const number = usual.size + this.others.size;
    this.others.set(glyph.id, { number, glyph });
    return number;
  }

  /** Writes the font with what the document shows (ISO 32000-2 §9.7); `cidSet`: with a list of its glyphs. */
  write(objects: PdfObjects, { cidSet }: { cidSet: boolean }): void {
    if (this.number === null) return;
    const cut = this.letters.cut(Array.from(this.others.values(), ({ glyph }) => glyph));
    const name = `${this.name.codePointAt(1) === 0x31 ? 'B' : 'C'}ZZZZZ+${this.letters.font.postscriptName}`;
    const file = objects.addStream(`/Filter/FlateDecode/Length1 ${cut.fileLength}`, cut.file);
    const set = cidSet ? objects.addStream('/Filter/FlateDecode', deflateSync(setOf(cut))) : null;
    const descriptor = objects.add(`${this.descriptor(name)}/FontFile2 ${refer(file)}${set === null ? '' : `/CIDSet ${refer(set)}`}>>`);
    const descendant = objects.add(
      `<</Type/Font/Subtype/CIDFontType2/BaseFont/${name}/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>` +
        `/FontDescriptor ${refer(descriptor)}/W[0[${cut.widths}]]/CIDToGIDMap/Identity>>`,
    );
    const unicode = objects.addStream('/Filter/FlateDecode', unicodeOf(cut));
    objects.set(
      this.number,
      `<</Type/Font/Subtype/Type0/BaseFont/${name}/Encoding/Identity-H/DescendantFonts[${refer(descendant)}]/ToUnicode ${refer(unicode)}>>`,
    );
  }

  private descriptor(name: string): string {
    const { font, scale } = this.letters;
    const { minX, minY, maxX, maxY } = font.bbox;
    const scaled = (...values: number[]) => values.map((value) => numeral(value * scale)).join(' ');
    // A subset with its own numbers of glyphs is symbolic (§9.8.2).
    return (
      `<</Type/FontDescriptor/FontName/${name}/Flags 4/FontBBox[${scaled(minX, minY, maxX, maxY)}]/ItalicAngle ${numeral(font.italicAngle)}` +
      `/Ascent ${scaled(font.ascent)}/Descent ${scaled(font.descent)}/CapHeight ${scaled(font.capHeight)}/XHeight ${scaled(font.xHeight)}/StemV 0`
    );
  }
}

/** A bit for each glyph, the highest first (ISO 32000-2 §9.8.3.3). */
function setOf({ codePoints }: Cut): Uint8Array {
  const bits = new Uint8Array(Math.ceil(codePoints.length / 8));
  for (let number = 0; number < codePoints.length; number += 1) bits[number >> 3] = (bits[number >> 3] ?? 0) | (0x80 >> (number & 7));
  return bits;
}

/** What is the same in every document as long as its cut is. */
const unicodes = new WeakMap<Cut, Uint8Array>();

function unicodeOf(cut: Cut): Uint8Array {
  const packed = unicodes.get(cut) ?? deflateSync(unicodeMap(cut));
  unicodes.set(cut, packed);
  return packed;
}

/** Which characters the glyphs stand for, so that text can be copied and read aloud (ISO 32000-2 §9.10.3). */
function unicodeMap({ codePoints }: Cut): string {
  const texts = codePoints.map(
    (points) =>
      `<${Buffer.from(String.fromCodePoint(...points), 'utf16le')
        .swap16()
        .toString('hex')}>`,
  );
  const ranges: string[] = [];
  for (let start = 0; start < texts.length; start += 256) {
    const range = texts.slice(start, start + 256);
    ranges.push(`<${hex4(start)}> <${hex4(start + range.length - 1)}> [${range.join(' ')}]`);
  }
  return [
    '/CIDInit /ProcSet findresource begin',
    '12 dict begin',
    'begincmap',
    '/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def',
    '/CMapName /Adobe-Identity-UCS def',
    '/CMapType 2 def',
    '1 begincodespacerange',
    '<0000><ffff>',
    'endcodespacerange',
    `${ranges.length} beginbfrange`,
    ...ranges,
    'endbfrange',
    'endcmap',
    'CMapName currentdict /CMap defineresource pop',
    'end',
    'end',
  ].join('\n');
}

function hex4(value: number): string {
  return value.toString(16).padStart(4, '0');
}
