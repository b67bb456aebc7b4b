import { PdfString, decodeText } from '../pdf/objects.ts';

/** The letters of simple fonts and of text strings (ISO 32000-2 Annex D), as Unicode. */

const asciiNames = [
  'space exclam quotedbl numbersign dollar percent ampersand quotesingle parenleft parenright asterisk plus comma hyphen period slash',
  'zero one two three four five six seven eight nine colon semicolon less equal greater question at',
].join(' ');
const bracketNames = 'bracketleft backslash bracketright asciicircum underscore grave';
const braceNames = 'braceleft bar braceright asciitilde';
/** From U+00A1 on; those that are a letter and an accent are told by `composed`. */
const latinNames =
  'exclamdown cent sterling currency yen brokenbar section dieresis copyright ordfeminine guillemotleft logicalnot softhyphen registered macron degree plusminus twosuperior threesuperior acute mu paragraph periodcentered cedilla onesuperior ordmasculine guillemotright onequarter onehalf threequarters questiondown';
const otherNames: Readonly<Record<string, number>> = {
  AE: 0xc6,
  Eth: 0xd0,
  multiply: 0xd7,
  Oslash: 0xd8,
  Thorn: 0xde,
  germandbls: 0xdf,
  ae: 0xe6,
  eth: 0xf0,
  divide: 0xf7,
  oslash: 0xf8,
  thorn: 0xfe,
  dcroat: 0x111,
  Dcroat: 0x110,
  dotlessi: 0x131,
  Lslash: 0x141,
  lslash: 0x142,
  OE: 0x152,
  oe: 0x153,
  florin: 0x192,
  circumflex: 0x2c6,
  caron: 0x2c7,
  breve: 0x2d8,
  dotaccent: 0x2d9,
  ring: 0x2da,
  ogonek: 0x2db,
  tilde: 0x2dc,
  hungarumlaut: 0x2dd,
  endash: 0x2013,
  emdash: 0x2014,
  quoteleft: 0x2018,
  quoteright: 0x2019,
  quotesinglbase: 0x201a,
  quotedblleft: 0x201c,
  quotedblright: 0x201d,
  quotedblbase: 0x201e,
  dagger: 0x2020,
  daggerdbl: 0x2021,
  bullet: 0x2022,
  ellipsis: 0x2026,
  perthousand: 0x2030,
  guilsinglleft: 0x2039,
  guilsinglright: 0x203a,
  fraction: 0x2044,
  Euro: 0x20ac,
  trademark: 0x2122,
  minus: 0x2212,
  fi: 0xfb01,
  fl: 0xfb02,
  nbspace: 0xa0,
  middot: 0xb7,
  sfthyphen: 0xad,
};
const accents: Readonly<Record<string, string>> = {
  grave: '\u0300',
  acute: '\u0301',
  circumflex: '\u0302',
  tilde: '\u0303',
  macron: '\u0304',
  breve: '\u0306',
  dotaccent: '\u0307',
  dieresis: '\u0308',
  ring: '\u030a',
  hungarumlaut: '\u030b',
  caron: '\u030c',
  cedilla: '\u0327',
  ogonek: '\u0328',
  commaaccent: '\u0326',
};

const named = new Map<string, number>(Object.entries(otherNames));
asciiNames.split(' ').forEach((name, index) => named.set(name, 32 + index));
bracketNames.split(' ').forEach((name, index) => named.set(name, 91 + index));
braceNames.split(' ').forEach((name, index) => named.set(name, 123 + index));
latinNames.split(' ').forEach((name, index) => named.set(name, 0xa1 + index));

/** The character a glyph's name stands for, or null. */
export function pointOfGlyph(name: string): number | null {
  if (/^[A-Za-z]$/.test(name)) return name.charCodeAt(0);
  const known = named.get(name);
  if (known !== undefined) return known;
  const coded = /^(?:uni([0-9A-F]{4})|u([0-9A-F]{4,6}))$/.exec(name);
  if (coded !== null) return Number.parseInt(coded[1] ?? coded[2] ?? '', 16);
  const [, letter, accent] = /^([A-Za-z])([a-z]+)$/.exec(name) ?? [];
  const mark = accent === undefined ? undefined : accents[accent];
  if (letter === undefined || mark === undefined) return null;
  const composed = (letter + mark).normalize('NFC');
  return composed.length === 1 ? composed.charCodeAt(0) : null;
}

/** Code points of WinAnsi 0x80–0x9f; 0 where undefined. */
export const winAnsiUpper = [
  0x20ac, 0, 0x201a, 0x192, 0x201e, 0x2026, 0x2020, 0x2021, 0x2c6, 0x2030, 0x160, 0x2039, 0x152, 0, 0x17d, 0, 0, 0x2018, 0x2019, 0x201c,
  0x201d, 0x2022, 0x2013, 0x2014, 0x2dc, 0x2122, 0x161, 0x203a, 0x153, 0, 0x17e, 0x178,
];

/** StandardEncoding from 0xa1 on, as glyphs; a dot where nothing is. */
const standardUpper =
  'exclamdown cent sterling fraction yen florin section currency quotesingle quotedblleft guillemotleft guilsinglleft guilsinglright fi fl . endash dagger daggerdbl periodcentered . paragraph bullet quotesinglbase quotedblbase quotedblright guillemotright ellipsis perthousand . questiondown . grave acute circumflex tilde macron breve dotaccent dieresis . ring cedilla . hungarumlaut ogonek caron emdash . . . . . . . . . . . . . . . . AE . ordfeminine . . . . Lslash Oslash OE ordmasculine . . . . . ae . . . dotlessi . . lslash oslash oe germandbls';

/** Code point by code; 0 where a code has no letter. */
export function baseEncoding(name: 'Standard' | 'WinAnsi' | 'MacRoman'): number[] {
  const points = Array.from({ length: 256 }, (_, code) => (code >= 32 && code < 127 ? code : 0));
  if (name === 'Standard') {
    points[0x27] = 0x2019;
    points[0x60] = 0x2018;
    standardUpper.split(' ').forEach((glyph, index) => (points[0xa1 + index] = pointOfGlyph(glyph) ?? 0));
    return points;
  }
  const mac = new TextDecoder('macintosh');
  for (let code = 128; code < 256; code++) {
    if (name === 'MacRoman') points[code] = mac.decode(Uint8Array.of(code)).codePointAt(0) ?? 0;
    else points[code] = code < 160 ? (winAnsiUpper[code - 128] ?? 0) : code;
  }
  return points;
}

const docLower = [0x2d8, 0x2c7, 0x2c6, 0x2d9, 0x2dd, 0x2db, 0x2da, 0x2dc];
const docUpper = [
  0x2022, 0x2020, 0x2021, 0x2026, 0x2014, 0x2013, 0x192, 0x2044, 0x2039, 0x203a, 0x2212, 0x2030, 0x201e, 0x201c, 0x201d, 0x2018, 0x2019,
  0x201a, 0x2122, 0xfb01, 0xfb02, 0x141, 0x152, 0x160, 0x178, 0x17d, 0x131, 0x142, 0x153, 0x161, 0x17e, 0, 0x20ac,
];

/** A text string with the letters of PDFDocEncoding that `decodeText` takes byte for byte. */
export function valueText(value: PdfString): string {
  const [first = 0, second = 0, third = 0] = value.bytes;
  const isMarked = (first === 0xfe && second === 0xff) || (first === 0xef && second === 0xbb && third === 0xbf);
  if (isMarked) return decodeText(value);
  let text = '';
  for (const byte of value.bytes) {
    const low = byte >= 0x18 && byte < 0x20 ? docLower[byte - 0x18] : undefined;
    const high = byte >= 0x80 && byte <= 0xa0 ? docUpper[byte - 0x80] : undefined;
    text += String.fromCharCode(low ?? high ?? byte);
  }
  return text;
}
