import { PadesError } from '../errors.ts';
import { PdfRef, PdfStream, isDict, isName } from './objects.ts';
import type { PdfDict, PdfObject } from './objects.ts';
import type { Pdf } from './pdf.ts';
import { scanFile } from './recover.ts';
import type { Scan } from './recover.ts';
import type { XrefEntry } from './xref.ts';

const maxObjectStreams = 20_000;

/**
 * Fills `entries` with the last definition of every object in the file and sets the trailer. Throws ENCRYPTED when
 * any trailer says so (object streams of such a file cannot be read) and DAMAGED when no catalog with pages is found.
 */
export async function recoverObjects(pdf: Pdf, entries: Map<number, XrefEntry>): Promise<void> {
  const scan = await scanFile(pdf.source);
  const trailers = await readTrailers(pdf, scan);
  if (trailers.some((trailer) => trailer.has('Encrypt'))) throw new PadesError('ENCRYPTED');
  for (const { num, gen, offset } of scan.objects) {
    if (num > 0) entries.set(num, { kind: 'offset', offset, gen });
  }
  await addCompressed(pdf, scan, entries);
  pdf.trailer = await chooseTrailer(pdf, scan, trailers);
}

/** A row that cannot be read is mended like one that leads nowhere. */
export function mendable(error: unknown): undefined {
  if (!(error instanceof PadesError) || error.code !== 'DAMAGED') throw error;
  return undefined;
}

async function readTrailers(pdf: Pdf, scan: Scan): Promise<PdfDict[]> {
  const found: { at: number; trailer: PdfDict }[] = [];
  for (const at of scan.trailers.slice(-512)) {
    const value = await pdf.reader
      .parseAt(at, (parser) => {
        parser.position += 7;
        return parser.parse();
      })
      .catch(() => null);
    if (isDict(value as PdfObject)) found.push({ at, trailer: value as PdfDict });
  }
  for (const at of scan.xrefStreams.slice(-512)) {
    const object = await attempt(() => pdf.reader.indirectObject(at));
    const value = object?.value;
    if (value instanceof PdfStream && isName(value.dict.get('Type'), 'XRef')) {
      found.push({ at, trailer: value.dict });
    }
  }
  return found.sort((a, b) => a.at - b.at).map(({ trailer }) => trailer);
}

/** Objects inside object streams count as defined where their stream stands in the file. */
async function addCompressed(pdf: Pdf, scan: Scan, entries: Map<number, XrefEntry>): Promise<void> {
  const numberAt = new Map(scan.objects.map(({ num, offset }) => [offset, num]));
  if (scan.objectStreams.length > maxObjectStreams) {
    throw new PadesError('TOO_COMPLEX', 'too many object streams');
  }
  const definedAt = new Map<number, number>();
  for (const { num, offset } of scan.objects) definedAt.set(num, offset);
  for (const at of scan.objectStreams) {
    const container = numberAt.get(at);
    // A container that was itself replaced later cannot be referred to any more.
    if (container === undefined || definedAt.get(container) !== at) continue;
    const stream = await attempt(() => pdf.objectStreamAt(at));
    let index = 0;
    for (const num of stream?.numbers ?? []) {
      if (num > 0 && (definedAt.get(num) ?? -1) < at) {
        entries.set(num, { kind: 'compressed', stream: container, index });
        definedAt.set(num, at);
      }
      index++;
    }
  }
}

async function chooseTrailer(pdf: Pdf, scan: Scan, trailers: PdfDict[]): Promise<PdfDict> {
  for (const trailer of trailers.toReversed()) {
    const root = trailer.get('Root');
    if (root instanceof PdfRef && (await isCatalog(pdf, root))) return trailer;
  }
  const numberAt = new Map(scan.objects.map(({ num, gen, offset }) => [offset, { num, gen }]));
  for (const at of scan.catalogs.toReversed()) {
    const found = numberAt.get(at);
    const root = found && new PdfRef(found.num, found.gen);
    if (root && (await isCatalog(pdf, root))) return new Map<string, PdfObject>([['Root', root]]);
  }
  throw new PadesError('DAMAGED', 'no catalog with pages was found');
}

async function isCatalog(pdf: Pdf, root: PdfRef): Promise<boolean> {
  const catalog = await attempt(() => pdf.resolveDict(root));
  return catalog !== null && (await attempt(() => pdf.resolveDict(catalog.get('Pages')))) !== null;
}

async function attempt<T>(work: () => T | Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch {
    return null;
  }
}
