import { PdfName, dict, isDict, isName } from '../../pdf/objects.ts';
import type { PdfDict, PdfObject } from '../../pdf/objects.ts';
import type { Pdf } from '../../pdf/pdf.ts';
import {
  helveticaBoldWidths,
  helveticaWidths,
  timesBoldItalicWidths,
  timesBoldWidths,
  timesItalicWidths,
  timesRomanWidths,
  zapfDingbatsWidths,
} from '../standard-widths.ts';
import { baseEncoding, pointOfGlyph } from '../encodings.ts';

/** A font of a form: how it spells a text, and how wide that is. */
export interface FormFont {
  /** What goes into the look's resources. */
  readonly object: PdfObject;
  /** Bytes and width (1/1000 em) of each character; null: it has none for it. */
  glyph(character: string): { readonly bytes: readonly number[]; readonly width: number } | null;
}

interface Standard {
  readonly base: string;
  /** By WinAnsi code; a number: all alike. */
  readonly widths: readonly number[] | number;
}

const helvetica: Standard = { base: 'Helvetica', widths: helveticaWidths };
const helveticaBold: Standard = { base: 'Helvetica-Bold', widths: helveticaBoldWidths };
const helveticaOblique: Standard = { base: 'Helvetica-Oblique', widths: helveticaWidths };
const helveticaBoldOblique: Standard = { base: 'Helvetica-BoldOblique', widths: helveticaBoldWidths };
const times: Standard = { base: 'Times-Roman', widths: timesRomanWidths };
const timesBold: Standard = { base: 'Times-Bold', widths: timesBoldWidths };
const timesItalic: Standard = { base: 'Times-Italic', widths: timesItalicWidths };
const timesBoldItalic: Standard = { base: 'Times-BoldItalic', widths: timesBoldItalicWidths };
const courier: Standard = { base: 'Courier', widths: 600 };
const courierBold: Standard = { base: 'Courier-Bold', widths: 600 };
const courierOblique: Standard = { base: 'Courier-Oblique', widths: 600 };
const courierBoldOblique: Standard = { base: 'Courier-BoldOblique', widths: 600 };

/** The names that Acrobat gives the standard fonts in a form's resources. */
const formNames: Readonly<Record<string, Standard>> = {
  Helv: helvetica,
  HeBo: helveticaBold,
  HeOb: helveticaOblique,
  HeBO: helveticaBoldOblique,
  TiRo: times,
  TiBo: timesBold,
  TiIt: timesItalic,
  TiBI: timesBoldItalic,
  Cour: courier,
  CoBo: courierBold,
  CoOb: courierOblique,
  CoBO: courierBoldOblique,
};

/** One of the text fonts that every reader has (§9.6.2.2), by any of the names it goes by. */
function standardOf(name: string): Standard | null {
  const known = formNames[name];
  if (known !== undefined) return known;
  const plain = name
    .replace(/^[A-Z]{6}\+/, '')
    .replaceAll(/[ ,_-]/g, '')
    .replace(/(PS)?MT$|PSMT(?=Bold|Italic)/, '');
  const [, family, style = ''] = /^(Helvetica|Arial|TimesNewRoman|Times|CourierNew|Courier)(?:PS)?(.*)$/.exec(plain) ?? [];
  if (family === undefined || !/^(Roman|Regular)?(Bold)?(Italic|Oblique)?(MT)?$/.test(style)) return null;
  const bold = style.includes('Bold');
  const slanted = /Italic|Oblique/.test(style);
  const pick = (upright: Standard, heavy: Standard, sloped: Standard, both: Standard): Standard =>
    bold ? (slanted ? both : heavy) : slanted ? sloped : upright;
  if (family.startsWith('Courier')) return pick(courier, courierBold, courierOblique, courierBoldOblique);
  if (family.startsWith('Times')) return pick(times, timesBold, timesItalic, timesBoldItalic);
  return pick(helvetica, helveticaBold, helveticaOblique, helveticaBoldOblique);
}

/** One object each, so that a revision writes it once. */
const conventional = new Map<string, FormFont>();
const winAnsi = baseEncoding('WinAnsi');

function standardWidth(font: Standard, point: number): number | null {
  if (typeof font.widths === 'number') return font.widths;
  const code = winAnsi.indexOf(point);
  return code < 0 || !font.widths[code] ? null : font.widths[code];
}

/** The standard font that a name in DA means when the form's resources do not have it; null: nobody could know. */
export function conventionalFont(name: string): FormFont | null {
  const standard = standardOf(name);
  if (standard === null) return null;
  const known = conventional.get(standard.base);
  if (known !== undefined) return known;
  const font: FormFont = {
    object: dict({
      Type: new PdfName('Font'),
      Subtype: new PdfName('Type1'),
      BaseFont: new PdfName(standard.base),
      Encoding: new PdfName('WinAnsiEncoding'),
    }),
    glyph(character) {
      const point = character.codePointAt(0) ?? 0;
      const code = point === 0 ? -1 : winAnsi.indexOf(point);
      return code < 0 ? null : { bytes: [code], width: standardWidth(standard, point) ?? 500 };
    },
  };
  conventional.set(standard.base, font);
  return font;
}

/** The signs of buttons, by their own codes. */
export const dingbats: FormFont = {
  object: dict({ Type: new PdfName('Font'), Subtype: new PdfName('Type1'), BaseFont: new PdfName('ZapfDingbats') }),
  glyph(character) {
    const code = character.charCodeAt(0);
    const width = zapfDingbatsWidths[code] ?? 0;
    return width === 0 ? null : { bytes: [code], width };
  },
};

/** Type1, MMType1 and TrueType: a byte a letter. Null: it cannot be known how it spells. */
export async function simpleFont(pdf: Pdf, object: PdfObject, font: PdfDict): Promise<FormFont | null> {
  const base = await pdf.resolve(font.get('BaseFont'));
  const name = base instanceof PdfName ? base.value : '';
  if (/ZapfDingbats/.test(name)) return { ...dingbats, object };
  const points = await encodingOf(pdf, font, name);
  if (points === null) return null;
  const standard = standardOf(name);
  const widths = await widthsOf(pdf, font);
  if (widths === null && standard === null) return null;
  const codes = new Map<number, number>();
  points.forEach((point, code) => {
    if (point !== 0 && !codes.has(point)) codes.set(point, code);
  });
  // A font that brings its own letters has no others than those it gives a width.
  const isSubset = /^[A-Z]{6}\+/.test(name);
  return {
    object,
    glyph(character) {
      const point = character.codePointAt(0) ?? 0;
      const code = codes.get(point) ?? (point === 0xa0 ? codes.get(0x20) : undefined);
      if (code === undefined) return null;
      const width = widths?.(code) ?? null;
      if (isSubset && !width) return null;
      return { bytes: [code], width: width ?? (standard && standardWidth(standard, point)) ?? 500 };
    },
  };
}

async function encodingOf(pdf: Pdf, font: PdfDict, name: string): Promise<number[] | null> {
  const encoding = await pdf.resolve(font.get('Encoding'));
  const isTrueType = isName(await pdf.resolve(font.get('Subtype')), 'TrueType');
  const descriptor = await pdf.resolveDict(font.get('FontDescriptor'));
  const flags = await pdf.resolve(descriptor?.get('Flags'));
  const isSymbolic = typeof flags === 'number' && (flags & 4) !== 0 && standardOf(name) === null;
  if (encoding instanceof PdfName) return namedEncoding(encoding);
  if (!isDict(encoding)) return isSymbolic || name === 'Symbol' ? null : baseEncoding(isTrueType ? 'WinAnsi' : 'Standard');
  const stated = await pdf.resolve(encoding.get('BaseEncoding'));
  if (isSymbolic && !(stated instanceof PdfName))
    return withDifferences(
      pdf,
      encoding,
      Array.from({ length: 256 }, () => 0),
    );
  const points = stated instanceof PdfName ? namedEncoding(stated) : baseEncoding('Standard');
  return points && withDifferences(pdf, encoding, points);
}

function namedEncoding(name: PdfName): number[] | null {
  if (name.value === 'WinAnsiEncoding') return baseEncoding('WinAnsi');
  if (name.value === 'MacRomanEncoding') return baseEncoding('MacRoman');
  return name.value === 'StandardEncoding' ? baseEncoding('Standard') : null;
}

async function withDifferences(pdf: Pdf, encoding: PdfDict, base: number[]): Promise<number[]> {
  const points = [...base];
  let code = 0;
  for (const raw of ((await pdf.resolveArray(encoding.get('Differences'))) ?? []).slice(0, 1024)) {
    const item = await pdf.resolve(raw);
    if (typeof item === 'number') code = Math.floor(item);
    else if (item instanceof PdfName && code >= 0 && code < 256) points[code++] = pointOfGlyph(item.value) ?? 0;
  }
  return points;
}

async function widthsOf(pdf: Pdf, font: PdfDict): Promise<((code: number) => number | null) | null> {
  const list = await pdf.resolveArray(font.get('Widths'));
  const first = await pdf.resolve(font.get('FirstChar'));
  if (list === null || list.length > 256 || typeof first !== 'number') return null;
  const widths = await Promise.all(list.map((item) => pdf.resolve(item)));
  return (code) => {
    const width = widths[code - first];
    return typeof width === 'number' ? width : null;
  };
}
