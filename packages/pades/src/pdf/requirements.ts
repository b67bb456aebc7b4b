import { readConformance } from './conformance.ts';
import { PdfName, PdfStream, dict, isName } from './objects.ts';
import type { PdfObject } from './objects.ts';
import { catalogOf } from './pages.ts';
import type { Pdf } from './pdf.ts';

/** What a file's own standards ask of whatever is added to it; of a file that claims none, nothing. */
export interface Requirements {
  /** ISO 19005 and 14289: every font that draws is in the file. */
  readonly embeddedFonts: boolean;
  /** ISO 19005-1: which glyphs an embedded font has is said. */
  readonly cidSets: boolean;
  /** ISO 19005: every field has a look, be it an empty one. */
  readonly emptyLooks: boolean;
  /** ISO 14289-2: annotations say in Contents what they are, widgets too. */
  readonly described: boolean;
  /** Nothing shines through: ISO 19005-1, and the later parts where nothing says in which space colours blend. */
  readonly opaque: boolean;
  readonly colours: ColourSpaces;
}

/** The spaces in which each kind of colour means the same everywhere; null: there is none at hand. */
export interface ColourSpaces {
  readonly gray: PdfObject;
  readonly rgb: PdfObject;
  readonly cmyk: PdfObject | null;
}

const device: ColourSpaces = { gray: new PdfName('DeviceGray'), rgb: new PdfName('DeviceRGB'), cmyk: new PdfName('DeviceCMYK') };
const none: Requirements = { embeddedFonts: false, cidSets: false, emptyLooks: false, described: false, opaque: false, colours: device };

/** D65, and sRGB's primaries: colours of no device, without a profile (ISO 32000-2 §8.6.5.2, §8.6.5.3). */
const whitePoint = [0.9505, 1, 1.089];
const calGray: PdfObject = [new PdfName('CalGray'), dict({ WhitePoint: whitePoint, Gamma: 2.2 })];
const primaries = [0.4124, 0.2126, 0.0193, 0.3576, 0.7152, 0.1192, 0.1805, 0.0722, 0.9505];
const calRgb: PdfObject = [new PdfName('CalRGB'), dict({ WhitePoint: whitePoint, Gamma: [2.2, 2.2, 2.2], Matrix: primaries })];

const known = new WeakMap<Pdf, Promise<Requirements>>();

/** As the metadata claim them; read once. */
export function requirementsOf(pdf: Pdf): Promise<Requirements> {
  const found = known.get(pdf) ?? read(pdf);
  known.set(pdf, found);
  return found;
}

async function read(pdf: Pdf): Promise<Requirements> {
  const { pdfA, pdfUa } = await readConformance(pdf);
  const described = pdfUa === 2;
  if (pdfA === null) return { ...none, embeddedFonts: pdfUa !== null, described };
  const intended = await outputComponents(pdf);
  return {
    embeddedFonts: true,
    cidSets: pdfA.part === 1,
    emptyLooks: true,
    described,
    opaque: pdfA.part === 1 || intended === null,
    colours: {
      // Any output intent says what gray is; of part 4, a page may have another one.
      gray: intended === null ? calGray : device.gray,
      rgb: intended === 3 && pdfA.part < 4 ? device.rgb : calRgb,
      cmyk: intended === 4 && pdfA.part < 4 ? device.cmyk : null,
    },
  };
}

/** How many components the colours of PDF/A's output intent have; null: the file has none. */
async function outputComponents(pdf: Pdf): Promise<number | null> {
  const intents = (await pdf.resolveArray((await catalogOf(pdf)).dict.get('OutputIntents'))) ?? [];
  for (const item of intents.slice(0, 16)) {
    const intent = await pdf.resolveDict(item);
    if (!isName(await pdf.resolve(intent?.get('S')), 'GTS_PDFA1')) continue;
    const profile = await pdf.resolve(intent?.get('DestOutputProfile'));
    const components = profile instanceof PdfStream ? await pdf.resolve(profile.dict.get('N')) : null;
    if (typeof components === 'number') return components;
  }
  return null;
}
