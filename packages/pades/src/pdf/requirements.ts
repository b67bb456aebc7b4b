import { readConformance } from './conformance.ts';
import { keptReading } from './kept-reading.ts';
import { PdfName, PdfStream, dict, isName, latin1Bytes } from './objects.ts';
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
  /** Level A, or ISO 14289: everything has its place in the logical structure. */
  readonly tags: boolean;
  /** ISO 14289-2: annotations say in Contents what they are, widgets too. */
  readonly described: boolean;
  /** Nothing shines through: ISO 19005-1, and the later parts where nothing says in which space colours blend. */
  readonly opaque: boolean;
  readonly colours: ColourSpaces;
}

/** The spaces in which each kind of colour means the same everywhere. */
export interface ColourSpaces {
  readonly gray: PdfObject;
  readonly rgb: PdfObject;
  readonly cmyk: PdfObject;
}

const device: ColourSpaces = { gray: new PdfName('DeviceGray'), rgb: new PdfName('DeviceRGB'), cmyk: new PdfName('DeviceCMYK') };
const none: Requirements = {
  embeddedFonts: false,
  cidSets: false,
  emptyLooks: false,
  tags: false,
  described: false,
  opaque: false,
  colours: device,
};

/** D65, and sRGB's primaries: colours of no device, without a profile (ISO 32000-2 §8.6.5.2, §8.6.5.3). */
const whitePoint = [0.9505, 1, 1.089];
const calGray: PdfObject = [new PdfName('CalGray'), dict({ WhitePoint: whitePoint, Gamma: 2.2 })];
const primaries = [0.4124, 0.2126, 0.0193, 0.3576, 0.7152, 0.1192, 0.1805, 0.0722, 0.9505];
const calRgb: PdfObject = [new PdfName('CalRGB'), dict({ WhitePoint: whitePoint, Gamma: [2.2, 2.2, 2.2], Matrix: primaries })];

/** Four inks of our own, and how they look: no profile of a press is at hand for pictures that come in CMYK (§8.6.6.5). */
const inkNames = ['LavraCyan', 'LavraMagenta', 'LavraYellow', 'LavraBlack'].map((ink) => new PdfName(ink));
const mixing =
  '{1 exch sub 4 1 roll 1 exch sub 3 index mul 3 1 roll 1 exch sub 3 index mul 3 1 roll 1 exch sub 3 index mul 4 1 roll 3 -1 roll pop}';
const single = [
  [0, 1, 1],
  [1, 0, 1],
  [1, 1, 0],
  [0, 0, 0],
];
const inks: PdfObject = [
  new PdfName('DeviceN'),
  inkNames,
  calRgb,
  new PdfStream(dict({ FunctionType: 4, Domain: [0, 1, 0, 1, 0, 1, 0, 1], Range: [0, 1, 0, 1, 0, 1] }), latin1Bytes(mixing)),
  dict({
    Colorants: dict(
      Object.fromEntries(
        inkNames.map((ink, index) => {
          const tint = dict({ FunctionType: 2, Domain: [0, 1], C0: [1, 1, 1], C1: single[index] ?? [], N: 1 });
          return [ink.value, [new PdfName('Separation'), ink, calRgb, tint]];
        }),
      ),
    ),
  }),
];

/** As the metadata claim them; read once. */
export const requirementsOf: (pdf: Pdf) => Promise<Requirements> = keptReading(read);

async function read(pdf: Pdf): Promise<Requirements> {
  const { pdfA, pdfUa } = await readConformance(pdf);
  const described = pdfUa === 2;
  if (pdfA === null) return { ...none, embeddedFonts: pdfUa !== null, tags: pdfUa !== null, described };
  const intended = await outputComponents(pdf);
  return {
    embeddedFonts: true,
    cidSets: pdfA.part === 1,
    emptyLooks: true,
    tags: pdfUa !== null || pdfA.level === 'A',
    described,
    opaque: pdfA.part === 1 || intended === null,
    colours: {
      // Any output intent says what gray is; of part 4, a page may have another one.
      gray: intended === null ? calGray : device.gray,
      rgb: intended === 3 && pdfA.part < 4 ? device.rgb : calRgb,
      cmyk: intended === 4 && pdfA.part < 4 ? device.cmyk : inks,
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
