import { deflateSync } from 'node:zlib';
import { breakLines } from './break-lines.ts';
import { claimsOf, infoOf } from './claims.ts';
import { letters, type SetText, type Weight } from './letters.ts';
import { OwnLetters } from './own-letters.ts';
import { PageContent } from './page-content.ts';
import { numeral, PdfObjects, refer } from './pdf-objects.ts';
import { addPicture, shownPicture } from './pictures.ts';
import { roundedRectangle } from './shapes.ts';

/** A text of `locales/` in the language of what is drawn. */
export type Sentence = (key: string, values?: Record<string, string | number>) => string;

/** A4, and the room kept free around what is drawn, in points. */
export const sheet = { width: 595.28, height: 841.89, margin: 48 } as const;

/** Of a page's foot: text that goes on by itself stays above it. */
const FOOT = 68;
/** Lengths are sums, in whatever order. */
const NOTHING = 0.0001;

/** Down to here a page is drawn on; below is its foot. */
export function floorOf(pdf: Sheets): number {
  return pdf.page.floor;
}

/** Between the margins. */
export function widthOf(pdf: Sheets): number {
  return pdf.page.width - 2 * sheet.margin;
}

export interface SheetsOptions {
  readonly landscape?: boolean;
  /** A paper that stands by itself: read aloud in its order and kept for decades (ISO 19005-2, level A). */
  readonly own?: { readonly lang: string; readonly title: string };
  /** ISO 19005-1 §6.3.5: which glyphs the fonts have is said. */
  readonly glyphsListed?: boolean;
}

interface Room {
  width: number;
  /** One line, which ends with … where the text goes on. */
  cut?: boolean;
}

/** A text in the lines that it has, before it is written. */
export interface Laid {
  readonly letters: OwnLetters;
  readonly size: number;
  readonly lines: readonly SetText[];
  readonly height: number;
  readonly room: Room;
}

/** Where a part of the structure stands: on which page, under which number there. */
export interface Place {
  readonly page: PageContent;
  readonly mark: number;
}

/** What papers are drawn on: pages in points from their upper left, with a place where text goes on. They are kept until the end. */
export class Sheets {
  readonly objects = new PdfObjects();
  readonly pages: PageContent[] = [];
  page: PageContent;
  x: number = sheet.margin;
  y: number = sheet.margin;
  private readonly options: SheetsOptions;
  private readonly fonts: Readonly<Record<Weight, OwnLetters>>;
  private readonly pictures: number[] = [];
  private readonly tree = this.objects.reserve();
  private face: OwnLetters;
  private size = 12;
  private colour = '#000000';
  /** What is being drawn as a part of the structure. */
  private part: { readonly type: string; readonly places: Place[] } | null = null;
  private structure = '';

  constructor(options: SheetsOptions) {
    this.options = options;
    this.fonts = { regular: new OwnLetters(letters.regular, 'F1'), bold: new OwnLetters(letters.bold, 'F2') };
    this.face = this.fonts.regular;
    this.page = this.addPage();
  }

  addPage(): PageContent {
    const [width, height] = this.options.landscape ? [sheet.height, sheet.width] : [sheet.width, sheet.height];
    this.page = new PageContent(this.objects.reserve(), { width, height, floor: height - FOOT });
    this.pages.push(this.page);
    this.x = sheet.margin;
    this.y = sheet.margin;
    return this.page;
  }

  font(weight: Weight): this {
    this.face = this.fonts[weight];
    return this;
  }

  fontSize(size: number): this {
    this.size = size;
    return this;
  }

  /** `#rrggbb`, of text. */
  fillColor(colour: string): this {
    this.colour = colour;
    return this;
  }

  moveDown(lines: number): this {
    this.y += this.lineHeight * lines;
    return this;
  }

  widthOfString(text: string): number {
    return (this.face.letters.set(text).width * this.size) / 1000;
  }

  /** Lines from a place on, up to the margin where nothing is said; then the place is below them. */
  text(text: string, x = this.x, y = this.y, { align = 'left', ...room }: Partial<Room> & { align?: 'left' | 'center' } = {}): this {
    return this.write(this.lay(text, { width: this.page.width - x - sheet.margin, ...room }), x, y, align);
  }

  /** Breaks a text into the lines that it will have, so that it is known how high it is. */
  lay(text: string, room: Room): Laid {
    const { face, size } = this;
    const width = (room.width * 1000) / size;
    const lines = breakLines(text, { width, cut: room.cut === true, set: (part) => face.letters.set(part) });
    return { letters: face, size, lines, height: lines.length * this.lineHeight, room };
  }

  /** Lines that stay above the foot. */
  write({ letters: face, size, lines, room }: Laid, x: number, y: number, align: 'left' | 'center' = 'left'): this {
    [this.face, this.size, this.x, this.y] = [face, size, x, y];
    const { lineHeight } = this;
    for (const line of lines) {
      if (room.cut !== true && this.y + lineHeight > this.page.floor + NOTHING) this.goOnNewPage(x);
      this.show(line, align === 'center' ? x + (room.width - (line.width * size) / 1000) / 2 : x, this.y);
      this.y += lineHeight;
    }
    return this;
  }

  /** One line wherever it is said to be; the place stays. */
  line(text: string, x: number, y: number): this {
    this.show(this.face.letters.set(text), x, y);
    return this;
  }

  private show({ runs }: SetText, x: number, y: number): void {
    if (runs.length === 0) return;
    this.face.number ??= this.objects.reserve();
    this.page.fillWith(this.colour);
    const font = `/${this.face.name} ${numeral(this.size)}`;
    const scale = this.size / 1000;
    const stand = y + this.face.letters.ascent * scale;
    for (const { at, shown } of this.face.pieces(runs)) this.page.show(shown, font, x + at[0] * scale, stand - at[1] * scale);
  }

  /** A line across, up to `right`. */
  rule(x: number, y: number, right: number, colour: string): void {
    this.page.strokeWith(colour, 0.5);
    this.page.add(`${this.page.point(x, y)} m ${this.page.point(right, y)} l S`);
  }

  /** A filled rectangle. */
  area(x: number, y: number, width: number, height: number, colour: string): void {
    this.page.fillWith(colour);
    this.page.add(`${this.page.point(x, y + height)} ${numeral(width)} ${numeral(height)} re f`);
  }

  /** The outline of a rectangle with round corners. */
  frame(x: number, y: number, width: number, height: number, colour: string): void {
    this.page.strokeWith(colour, 0.75);
    this.page.add(`${roundedRectangle(x, this.page.height - y - height, width, height, 6)} S`);
  }

  /** Operators in units of their own, from their upper left downwards. */
  drawing(operators: string, x: number, y: number, unit: number): void {
    this.page.add(`q ${numeral6(unit)} 0 0 ${numeral6(-unit)} ${this.page.point(x, y)} cm ${operators} Q`);
  }

  /** As large as it fits into a place, at its left; `middle`: of its height. */
  image(picture: Buffer, x: number, y: number, place: { width: number; height: number; middle?: boolean }): void {
    const added = addPicture(this.objects, picture);
    const scale = Math.min(place.width / added.width, place.height / added.height);
    const [width, height] = [added.width * scale, added.height * scale];
    const top = place.middle ? y + (place.height - height) / 2 : y;
    const matrix = shownPicture(added, x, this.page.height - top - height, width, height);
    this.page.add(`q ${matrix.map(numeral).join(' ')} cm /I${this.pictures.push(added.number)} Do Q`);
  }

  /** Draws a part of the structure; answers where it stands. */
  drawPart(type: string, draw: () => unknown): readonly Place[] {
    const part = { type, places: [] as Place[] };
    this.part = part;
    this.beginPart();
    draw();
    this.page.add('EMC');
    this.part = null;
    return part.places;
  }

  private beginPart(): void {
    if (!this.part) return;
    const mark = this.page.marks;
    this.page.marks += 1;
    this.page.add(`/${this.part.type} <</MCID ${mark}>> BDC`);
    this.part.places.push({ page: this.page, mark });
  }

  /** What leads to the structure, as entries of the catalog. */
  tellStructure(entries: string): void {
    this.structure = entries;
  }

  /** The document's bytes. */
  end(): Uint8Array {
    const { objects, options } = this;
    const resources = objects.reserve();
    for (const [index, page] of this.pages.entries()) this.writePage(page, index, resources);
    const fonts = Object.values(this.fonts).filter(({ number }) => number !== null);
    for (const font of fonts) font.write(objects, { cidSet: options.glyphsListed === true });
    const fontEntries = fonts.map(({ name, number }) => `/${name} ${refer(number ?? 0)}`).join('');
    const pictures = this.pictures.map((number, index) => `/I${index + 1} ${refer(number)}`).join('');
    objects.set(resources, `<</Font<<${fontEntries}>>${pictures === '' ? '' : `/XObject<<${pictures}>>`}>>`);
    const kids = this.pages.map(({ number }) => refer(number)).join(' ');
    objects.set(this.tree, `<</Type/Pages/Count ${this.pages.length}/Kids[${kids}]>>`);
    const at = new Date();
    const claims = options.own ? claimsOf(objects, options.own, at) : '';
    const catalog = objects.add(`<</Type/Catalog/Pages ${refer(this.tree)}${claims}${this.structure}>>`);
    return objects.write(options.own ? '1.7' : '1.4', catalog, objects.add(infoOf(at, options.own?.title)));
  }

  private writePage(page: PageContent, index: number, resources: number): void {
    const content = this.objects.addStream('/Filter/FlateDecode', deflateSync(Buffer.from(page.stream, 'latin1')));
    this.objects.set(
      page.number,
      `<</Type/Page/Parent ${refer(this.tree)}/MediaBox[0 0 ${page.width} ${page.height}]/Contents ${refer(content)}` +
        `/Resources ${refer(resources)}${page.marks > 0 ? `/StructParents ${index}/Tabs/S` : ''}>>`,
    );
  }

  private get lineHeight(): number {
    return (this.face.letters.lineHeight * this.size) / 1000;
  }

  private goOnNewPage(x: number): void {
    if (this.part) this.page.add('EMC');
    this.addPage();
    this.x = x;
    this.beginPart();
  }
}

/** Of lengths that are added up many times. */
function numeral6(value: number): string {
  return `${Math.round(value * 1e6) / 1e6}`;
}

/** Empty pages with our letters. */
export function openSheets(options: SheetsOptions = {}): Sheets {
  return new Sheets(options);
}

/** The text in one line: smaller where it is wider than `width`, never broken. */
export function fittedSize(pdf: Sheets, text: string, width: number, size: number): number {
  const wide = pdf.fontSize(size).widthOfString(text);
  return wide <= width ? size : Math.max(4, Math.floor(((size * width) / wide) * 20) / 20);
}
