import type { Appearance } from '../appearance/appearance.ts';
import { AppearanceBuilder } from '../appearance/builder.ts';
import { platformCrypto } from '../crypto.ts';
import type { Crypto } from '../crypto.ts';
import { PadesError } from '../errors.ts';
import { deflate } from '../pdf/deflate.ts';
import { displayedSize, displayToUser, rectToBox, uprightMatrix } from '../pdf/geometry.ts';
import type { Box, Rect, Rotation } from '../pdf/geometry.ts';
import { PdfName, PdfRef, PdfStream, PdfString, dict, isDict, latin1Bytes, textString } from '../pdf/objects.ts';
import type { PdfDict, PdfObject } from '../pdf/objects.ts';
import { catalogOf, eachPage, pageGeometry } from '../pdf/pages.ts';
import type { NumberedPage, PageInfo } from '../pdf/pages.ts';
import type { Pdf } from '../pdf/pdf.ts';
import { requirementsOf } from '../pdf/requirements.ts';
import { RevisionWriter } from '../pdf/revision-writer.ts';
import { formatNumber } from '../pdf/serialize.ts';
import { freeNumber } from '../prepare/free-number.ts';
import { readAll } from '../source.ts';
import type { Revision } from '../source.ts';
import { asStamp } from './stamps.ts';

/** What is written below every page of the copy, and under which name the file itself lies in it. */
export interface PrintableCopyPlan {
  /** Of the page with that one-based number, of so many; lines are broken at `\n` and made smaller where they do not fit. */
  readonly footer: (page: number, pages: number) => string;
  /** A TrueType or OpenType file for the footer's letters; left out: Helvetica. */
  readonly fontFile?: Uint8Array;
  readonly attachment: {
    /** As a file name, with `.pdf`. */
    readonly name: string;
    readonly description: string;
  };
}

/** Points, as the page is shown. */
const STRIP = 30;
const FOOTER_SIZE = 7;
const FOOTER_PADDING = 4;
const FOOTER_COLOR = [0.25, 0.25, 0.25] as const;
/** What an AES-encrypted or compressed copy of a file may take in memory; larger ones are handed out as they are signed only. */
const MAX_ATTACHED = 256 << 20;

/**
 * One revision that makes a signed file its printable copy: every page gets a strip below what it shows, with the footer in it;
 * signature and form fields become stamps that look the same and sign nothing; the file itself, as it was signed, lies in the
 * copy as an attachment (ISO 32000-2 §7.11.4, AFRelationship Source). The copy claims no conformance that it may not have.
 * Nobody's signature is in it any more: it says so by having no fields, and is to be signed by whoever hands it out.
 * Throws the codes of reading, TOO_COMPLEX, TEXT_NOT_ENCODABLE, FONT_UNSUPPORTED.
 */
export async function printableCopy(pdf: Pdf, plan: PrintableCopyPlan, options: { crypto?: Crypto } = {}): Promise<Revision> {
  const crypto = options.crypto ?? platformCrypto;
  if (pdf.source.size > MAX_ATTACHED) throw new PadesError('TOO_COMPLEX', 'a file too large to lie in its copy');
  const writer = new RevisionWriter(pdf, await freeNumber(pdf));
  const looks = new AppearanceBuilder(writer, await requirementsOf(pdf));
  const pages: NumberedPage[] = [];
  await eachPage(pdf, (page) => pages.push(page) <= MAX_PAGES);
  if (pages.length > MAX_PAGES) throw new PadesError('TOO_COMPLEX', 'too many pages');
  for (const page of pages) await writePage(pdf, writer, looks, page, plan.footer(page.number, pages.length), plan.fontFile);
  await looks.finish();
  await writeCatalog(pdf, writer, plan.attachment);
  return (await writer.finish((length) => crypto.random(length))).revision;
}

const MAX_PAGES = 100_000;

async function writePage(
  pdf: Pdf,
  writer: RevisionWriter,
  looks: AppearanceBuilder,
  page: NumberedPage,
  text: string,
  fontFile: Uint8Array | undefined,
): Promise<void> {
  // A page that stands in its tree itself cannot be replaced alone (§7.7.3.2 wants references).
  if (page.ref === null) throw new PadesError('DAMAGED', 'a page without a number');
  const info = await pageGeometry(pdf, page);
  const strip = stripBelow(info);
  const appearance: Appearance = {
    text,
    fontSize: FOOTER_SIZE / info.userUnit,
    padding: FOOTER_PADDING / info.userUnit,
    alignment: 'CENTER',
    color: FOOTER_COLOR,
    ...(fontFile ? { fontFile } : {}),
  };
  const look = await looks.form(appearance, strip, info.rotate);
  const { name, resources } = await withForm(pdf, page.inherited.get('Resources'), look);
  const first = writer.add(new PdfStream(new Map(), latin1Bytes(beforeContents(name, strip, info))));
  const annotations = await stampsOf(pdf, writer, page.dict.get('Annots'));
  const updated: PdfDict = new Map<string, PdfObject>([
    ...page.dict,
    ['MediaBox', [...around(info.mediaBox, strip)]],
    ['CropBox', [...around(info.visibleBox, strip)]],
    ['Rotate', info.rotate],
    ['Resources', resources],
    ['Contents', [first, ...(await contentsOf(pdf, page.dict.get('Contents')))]],
  ]);
  if (annotations === null) updated.delete('Annots');
  else updated.set('Annots', annotations);
  // Trim, bleed and art end where the sheet that was signed ended; what is printed is the whole of this one.
  for (const key of ['TrimBox', 'BleedBox', 'ArtBox', 'Thumb', 'AA']) updated.delete(key);
  writer.set(await pdf.refTo(page.ref.num), updated);
}

/** Below what the page shows, as it is shown. */
function stripBelow(info: PageInfo): Rect {
  const [x0, y0, x1, y1] = info.visibleBox;
  const { width, height } = displayedSize({ width: x1 - x0, height: y1 - y0 }, info.rotate);
  return displayToUser({ u: 0, v: height, width, height: STRIP / info.userUnit }, info);
}

function around(box: Box, rect: Rect): Box {
  const [x0, y0, x1, y1] = rectToBox(rect);
  return [Math.min(box[0], x0), Math.min(box[1], y0), Math.max(box[2], x1), Math.max(box[3], y1)];
}

/**
 * The footer, an artifact (§14.8.2.2), and then the edge of what the page showed: nothing that lay hidden behind it comes into view,
 * and the page's own contents follow untouched, balanced or not.
 */
function beforeContents(name: string, strip: Rect, { visibleBox, rotate }: PageInfo): string {
  const [x0, y0, x1, y1] = visibleBox;
  const at = originOf(strip, rotate);
  const place = `q 1 0 0 1 ${formatNumber(at.x)} ${formatNumber(at.y)} cm /${name} Do Q`;
  const edge = [x0, y0, x1 - x0, y1 - y0].map(formatNumber).join(' ');
  return `/Artifact << /Type /Pagination /Subtype /Footer >> BDC\n${place}\nEMC\n${edge} re W n\n`;
}

/** Where the form's own zero goes so that, turned upright, it fills the strip. */
function originOf(strip: Rect, rotate: Rotation): { x: number; y: number } {
  const [a = 1, b = 0, c = 0, d = 1] = uprightMatrix(rotate) ?? [];
  const { width, height } = displayedSize(strip, rotate);
  return { x: strip.x - Math.min(0, a * width, c * height), y: strip.y - Math.min(0, b * width, d * height) };
}

/** The page's resources with one more form, under a name that is free in them. */
async function withForm(pdf: Pdf, value: PdfObject | undefined, form: PdfRef): Promise<{ name: string; resources: PdfDict }> {
  const resources = (await pdf.resolveDict(value)) ?? new Map<string, PdfObject>();
  const forms = (await pdf.resolveDict(resources.get('XObject'))) ?? new Map<string, PdfObject>();
  let name = 'LavraFooter';
  while (forms.has(name)) name += '0';
  return { name, resources: new Map([...resources, ['XObject', new Map([...forms, [name, form]])]]) };
}

async function contentsOf(pdf: Pdf, value: PdfObject | undefined): Promise<PdfObject[]> {
  const contents = await pdf.resolve(value);
  if (Array.isArray(contents)) return contents;
  return contents instanceof PdfStream && value instanceof PdfRef ? [value] : [];
}

/** The annotations with stamps in place of widgets; null: none is left. */
async function stampsOf(pdf: Pdf, writer: RevisionWriter, value: PdfObject | undefined): Promise<PdfObject[] | null> {
  const kept: PdfObject[] = [];
  for (const item of (await pdf.resolveArray(value)) ?? []) {
    const annotation = await pdf.resolve(item);
    if (!isDict(annotation)) continue;
    const shown = await asStamp(pdf, annotation);
    if (shown === null) continue;
    if (shown !== annotation && item instanceof PdfRef) writer.set(await pdf.refTo(item.num), shown);
    kept.push(item instanceof PdfRef ? item : shown);
  }
  return kept.length > 0 ? kept : null;
}

/** Entries that speak of signatures, fields, or what the file was in its own right. */
const ofTheSigned = ['AcroForm', 'DSS', 'Perms', 'Metadata', 'AF', 'OpenAction', 'AA', 'NeedsRendering', 'Collection', 'Requirements'];

async function writeCatalog(pdf: Pdf, writer: RevisionWriter, { name, description }: PrintableCopyPlan['attachment']): Promise<void> {
  const { ref, dict: catalog } = await catalogOf(pdf);
  const bytes = await readAll(pdf.source);
  const stream = dict({
    Type: new PdfName('EmbeddedFile'),
    Subtype: new PdfName('application/pdf'),
    Filter: new PdfName('FlateDecode'),
    Params: dict({ Size: bytes.length }),
  });
  const file = writer.add(new PdfStream(stream, await deflate(bytes)));
  const specification = writer.add(
    dict({
      Type: new PdfName('Filespec'),
      F: new PdfString(latin1Bytes(name.normalize('NFD').replaceAll(/[^ -~]/g, ''))),
      UF: textString(name),
      Desc: textString(description),
      EF: dict({ F: file, UF: file }),
      AFRelationship: new PdfName('Source'),
    }),
  );
  const names = (await pdf.resolveDict(catalog.get('Names'))) ?? new Map<string, PdfObject>();
  const updated: PdfDict = new Map([...catalog].filter(([key]) => !ofTheSigned.includes(key)));
  const tree = dict({ Names: [new PdfString(latin1Bytes('lavra-signed.pdf')), specification] });
  const scripts = new Set(['EmbeddedFiles', 'JavaScript']);
  updated.set('Names', new Map([...[...names].filter(([key]) => !scripts.has(key)), ['EmbeddedFiles', tree]]));
  updated.set('AF', [specification]);
  writer.set(ref, updated);
}
