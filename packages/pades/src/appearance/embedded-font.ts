import type { Font, Glyph, Subset } from 'fontkit';
import { PadesError } from '../errors.ts';
import { deflate } from '../pdf/deflate.ts';
import { PdfName, PdfStream, PdfString, dict, latin1Bytes } from '../pdf/objects.ts';
import type { PdfDict, PdfObject, PdfRef } from '../pdf/objects.ts';
import type { RevisionWriter } from '../pdf/revision-writer.ts';
import type { TextFont } from './text-font.ts';

/** A letter of a font: its width in 1/1000 em. */
interface Letter {
  readonly glyph: Glyph;
  readonly width: number;
}

interface ReadFont {
  readonly font: Font;
  /** Letters that were asked for, by their characters: a text is measured again with every word. */
  readonly letters: Map<string, Letter>;
}

/** So many letters of a font are kept. */
const maxLetters = 5000;

/** Whoever gives the same bytes again pays for their reading once: it costs more than a subset. What is written of it is a document's own. */
const read = new WeakMap<Uint8Array, ReadFont>();

/** A TrueType or OpenType font of which only the glyphs used are embedded, with ToUnicode so that text can be copied. */
export class EmbeddedFont implements TextFont {
  readonly ref: PdfRef;
  readonly ascent: number;
  readonly descent: number;
  private readonly font: Font;
  private readonly letters: ReadFont['letters'];
  private readonly subset: Subset;
  /** Glyph in the subset → its text and width (1/1000 em). */
  private readonly used = new Map<number, { text: string; width: number }>();

  private constructor(ref: PdfRef, { font, letters }: ReadFont) {
    this.ref = ref;
    this.font = font;
    this.letters = letters;
    this.subset = font.createSubset();
    this.ascent = font.ascent / font.unitsPerEm;
    this.descent = -font.descent / font.unitsPerEm;
  }

  static async open(ref: PdfRef, bytes: Uint8Array): Promise<EmbeddedFont> {
    const known = read.get(bytes);
    if (known) return new EmbeddedFont(ref, known);
    // Loaded only by those who embed fonts: it is larger than the rest of the engine.
    const fontkit = await import('fontkit');
    try {
      const font = fontkit.create(bytes as Parameters<typeof fontkit.create>[0]);
      if (!('createSubset' in font)) throw new PadesError('FONT_UNSUPPORTED', 'a font collection');
      const made = { font, letters: new Map<string, Letter>() };
      read.set(bytes, made);
      return new EmbeddedFont(ref, made);
    } catch (error) {
      if (error instanceof PadesError) throw error;
      throw new PadesError('FONT_UNSUPPORTED', 'the font file cannot be read', {}, error);
    }
  }

  /** Tells of each character of a text. Throws TEXT_NOT_ENCODABLE, with all that the font has not. */
  private eachLetter(text: string, visit: (letter: Letter, character: string) => void): void {
    let missing = '';
    for (const character of text) {
      const letter = this.letters.get(character) ?? this.readLetter(character);
      if (letter === null) missing += character;
      else visit(letter, character);
    }
    if (missing !== '') throw new PadesError('TEXT_NOT_ENCODABLE', undefined, { characters: missing });
  }

  private readLetter(character: string): Letter | null {
    const { font, letters } = this;
    const point = character.codePointAt(0) ?? 0;
    if (!font.hasGlyphForCodePoint(point)) return null;
    const glyph = font.glyphForCodePoint(point);
    const letter = { glyph, width: (glyph.advanceWidth * 1000) / font.unitsPerEm };
    if (letters.size >= maxLetters) letters.clear();
    letters.set(character, letter);
    return letter;
  }

  width(text: string): number {
    let sum = 0;
    this.eachLetter(text, ({ width }) => (sum += width));
    return sum / 1000;
  }

  encode(text: string): string {
    let hex = '';
    this.eachLetter(text, ({ glyph, width }, character) => {
      // Answers the glyph's number in the subset, which the type declaration does not say.
      const id = this.subset.includeGlyph(glyph) as unknown as number;
      this.used.set(id, { text: character, width });
      hex += id.toString(16).padStart(4, '0');
    });
    return `<${hex}>`;
  }

  /** Writes the font once every text has been encoded; with `cidSet`, also which glyphs it has (ISO 19005-1 §6.3.5). */
  async write(writer: RevisionWriter, options: { cidSet: boolean }): Promise<void> {
    const program = Uint8Array.from(this.subset.encode());
    const isCff = program[0] === 1;
    const name = new PdfName(`${this.tag()}+${this.font.postscriptName ?? 'Font'}`);
    const file = await compressed(program, isCff ? { Subtype: new PdfName('CIDFontType0C') } : { Length1: program.length });
    const descendant = dict({
      Type: new PdfName('Font'),
      Subtype: new PdfName(isCff ? 'CIDFontType0' : 'CIDFontType2'),
      BaseFont: name,
      CIDSystemInfo: dict({
        Registry: new PdfString(latin1Bytes('Adobe')),
        Ordering: new PdfString(latin1Bytes('Identity')),
        Supplement: 0,
      }),
      FontDescriptor: writer.add(
        new Map([
          ...this.descriptor(name, writer.add(file), isCff),
          ...(options.cidSet ? dict({ CIDSet: writer.add(await compressed(this.cidSet(), {})) }) : []),
        ]),
      ),
      W: this.widths(),
      ...(isCff ? {} : { CIDToGIDMap: new PdfName('Identity') }),
    });
    writer.set(
      this.ref,
      dict({
        Type: new PdfName('Font'),
        Subtype: new PdfName('Type0'),
        BaseFont: name,
        Encoding: new PdfName('Identity-H'),
        DescendantFonts: [writer.add(descendant)],
        ToUnicode: writer.add(await compressed(latin1Bytes(this.toUnicode()), {})),
      }),
    );
  }

  private descriptor(name: PdfName, file: PdfRef, isCff: boolean): PdfDict {
    const { font } = this;
    const scale = 1000 / font.unitsPerEm;
    const { minX, minY, maxX, maxY } = font.bbox;
    return dict({
      Type: new PdfName('FontDescriptor'),
      FontName: name,
      // Nonsymbolic does not hold for a subset with its own glyph numbering: Symbolic (§9.8.2).
      Flags: 4,
      FontBBox: [minX, minY, maxX, maxY].map((value) => Math.round(value * scale)),
      ItalicAngle: font.italicAngle,
      Ascent: Math.round(font.ascent * scale),
      Descent: Math.round(font.descent * scale),
      CapHeight: Math.round((font.capHeight || font.ascent) * scale),
      StemV: 80,
      [isCff ? 'FontFile3' : 'FontFile2']: file,
    });
  }

  private widths(): PdfObject[] {
    const entries = [...this.used].toSorted(([a], [b]) => a - b);
    return entries.flatMap(([id, { width }]) => [id, [Math.round(width * 100) / 100]]);
  }

  /** A bit for each glyph of the subset, the highest first (§9.8.3.3). */
  private cidSet(): Uint8Array {
    const { length } = (this.subset as unknown as { glyphs: readonly number[] }).glyphs;
    const bits = new Uint8Array(Math.ceil(length / 8));
    for (let id = 0; id < length; id++) bits[id >> 3] = (bits[id >> 3] ?? 0) | (0x80 >> (id & 7));
    return bits;
  }

  /** Six letters that name this subset (§9.9.2). */
  private tag(): string {
    let hash = 7;
    for (const [id, { text }] of this.used) {
      hash = (hash * 31 + id * 17 + (text.codePointAt(0) ?? 0)) % 308_915_776;
    }
    let tag = '';
    for (let i = 0; i < 6; i++, hash = Math.floor(hash / 26)) tag += String.fromCharCode(65 + (hash % 26));
    return tag;
  }

  private toUnicode(): string {
    const entries = [...this.used].toSorted(([a], [b]) => a - b);
    const blocks: string[] = [];
    for (let i = 0; i < entries.length; i += 100) {
      const lines = entries.slice(i, i + 100).map(([id, { text }]) => `<${hex4(id)}> <${utf16(text)}>`);
      blocks.push(`${lines.length} beginbfchar\n${lines.join('\n')}\nendbfchar`);
    }
    return [
      '/CIDInit /ProcSet findresource begin 12 dict begin begincmap',
      '/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def',
      '/CMapName /Adobe-Identity-UCS def /CMapType 2 def',
      '1 begincodespacerange <0000> <ffff> endcodespacerange',
      ...blocks,
      'endcmap CMapName currentdict /CMap defineresource pop end end',
    ].join('\n');
  }
}

function hex4(value: number): string {
  return value.toString(16).padStart(4, '0');
}

function utf16(text: string): string {
  return Array.from({ length: text.length }, (_, i) => hex4(text.charCodeAt(i))).join('');
}

async function compressed(data: Uint8Array, entries: Record<string, PdfObject>): Promise<PdfStream> {
  return new PdfStream(dict({ ...entries, Filter: new PdfName('FlateDecode') }), await deflate(data));
}
