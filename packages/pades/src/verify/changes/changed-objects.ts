import { latin1Text } from '../../pdf/objects.ts';
import type { PdfDict, PdfObject } from '../../pdf/objects.ts';
import type { Pdf } from '../../pdf/pdf.ts';
import { beginsElsewhere } from '../../pdf/linearized.ts';
import { scanFile } from '../../pdf/recover.ts';
import type { Work } from '../../pdf/work.ts';
import type { XrefEntry, XrefSection } from '../../pdf/xref.ts';
import { readAppended, sameEntry } from './appended.ts';
import { sameObject } from './compare.ts';

/** One object that is not what it was. */
export interface ChangedObject {
  readonly num: number;
  /** Null: it was not there. */
  readonly before: PdfObject;
  /** Null: it is gone. */
  readonly after: PdfObject;
}

export type CrossReferenceFault = 'cross-reference' | 'hidden-object-revealed' | 'data-after-end';

export interface ChangedObjects {
  readonly objects: ReadonlyMap<number, ChangedObject>;
  /** What is wrong with the cross-reference of the later state itself, told once each. */
  readonly faults: readonly CrossReferenceFault[];
  /** Numbers of definitions that were appended and that readers could read differently, or that no section names. */
  readonly unclear: readonly number[];
  /** Numbers of what looks like a definition wherever in the appended bytes, inside a stream too, and is none by any section. */
  readonly strays: readonly number[];
  /** The trailers of the sections that were appended, newest first. */
  readonly trailers: readonly PdfDict[];
}

/** A row of a cross-reference is twenty bytes long, or comes out of very few when it is compressed. */
const entryCost = 64;

/**
 * Objects that differ between two states of a file, found through the cross-reference sections appended in between. The
 * sections must lead back to the earlier state's own; an entry may not point into what was there before.
 */
export async function changedObjects(before: Pdf, after: Pdf): Promise<ChangedObjects> {
  const end = before.source.size;
  const faults = new Set<CrossReferenceFault>();
  const older = after.sections.findIndex(({ position }) => position + after.bias < end);
  const appended = older < 0 ? after.sections : after.sections.slice(0, older);
  if (after.sections[appended.length]?.position !== before.sections[0]?.position) faults.add('cross-reference');
  // What a signed section announces and does not have would be filled in by whoever appends.
  if (before.sections.some(({ incomplete }) => incomplete)) faults.add('cross-reference');
  if ((await beginsElsewhere(before)) || (await beginsElsewhere(after))) faults.add('cross-reference');
  const numbers = new Set<number>();
  const { work } = after.reader;
  const room = roomFor(before, after);
  for (const section of appended) {
    // Behind a table some readers (Ghostscript, qpdf) find nothing of what stands in object streams.
    if (section.form === 'table' && (await hasPackedObjects(before))) faults.add('cross-reference');
    // Of a stream beside a table, see `readAppended`.
    if (section.ambiguous || (section.trailer.has('XRefStm') && section.hybrid === null)) faults.add('cross-reference');
    if (!collectNumbers(section, numbers, work)) faults.add('cross-reference');
    const size = section.trailer.get('Size');
    if (section.limit > room || (typeof size === 'number' && size > room)) faults.add('cross-reference');
    // Objects behind Size are missing to one reader and there to the next (ISO 32000-2 §7.5.5).
    if (typeof size === 'number' && section.limit > size) faults.add('cross-reference');
  }
  const objects = new Map<number, ChangedObject>();
  for (const num of numbers) {
    const [was, is] = [await before.entry(num), await after.entry(num)];
    if (sameEntry(was, is)) continue;
    if (isOtherGeneration(was, is)) faults.add('cross-reference');
    if (await pointsBack(after, was, is, end)) faults.add('hidden-object-revealed');
    const changed = await compareObject(before, after, num);
    if (changed !== null) objects.set(num, changed);
  }
  const pieces = await readAppended(before, after, appended);
  for (const fault of pieces.faults) faults.add(fault);
  const { strays, trailers } = await strayDefinitions(before, after, appended);
  if (trailers > appended.filter(({ form }) => form === 'table').length) faults.add('cross-reference');
  const unclear = [...new Set([...pieces.unclear, ...pieces.strays])];
  return { objects, faults: [...faults], unclear, strays, trailers: appended.map(({ trailer }) => trailer) };
}

/**
 * How high numbers of objects may go: every new one takes some bytes, and some writers leave room. Readers have limits of their own, and
 * rebuild a file that goes beyond them, with definitions in it that no section ever named.
 */
function roomFor(before: Pdf, after: Pdf): number {
  const stated = before.trailer.get('Size');
  const limits = before.sections.map(({ limit }) => limit);
  return Math.max(typeof stated === 'number' ? stated : 0, ...limits) + after.source.size - before.source.size + spareNumbers;
}

const spareNumbers = 65_536;

/** Something of a state stands in object streams. */
async function hasPackedObjects({ sections, reader }: Pdf): Promise<boolean> {
  for (const section of sections) {
    if (section.form !== 'stream') continue;
    for (const num of section.numbers()) {
      reader.work.spend(entryCost);
      if ((await section.lookup(num))?.kind === 'compressed') return true;
    }
  }
  return false;
}

/** False when an object is named twice. */
function collectNumbers(section: XrefSection, numbers: Set<number>, work: Work): boolean {
  const own = new Set<number>();
  let once = true;
  for (const num of section.numbers()) {
    work.spend(entryCost);
    // A hybrid's table lists as free what its stream defines (ISO 32000-2 §7.5.8.4).
    if (own.has(num) && section.hybrid === null) once = false;
    own.add(num);
    numbers.add(num);
  }
  return once;
}

/** Readers that look at generations do not find what refers to the earlier one. */
function isOtherGeneration(was: XrefEntry | undefined, is: XrefEntry | undefined): boolean {
  const generation = (entry: XrefEntry | undefined) => (entry?.kind === 'offset' ? entry.gen : 0);
  return was !== undefined && is !== undefined && was.kind !== 'free' && is.kind !== 'free' && generation(was) !== generation(is);
}

async function pointsBack(after: Pdf, was: XrefEntry | undefined, entry: XrefEntry | undefined, end: number): Promise<boolean> {
  if (entry?.kind === 'offset') return entry.offset < end && !(was?.kind === 'offset' && was.offset === entry.offset);
  if (entry?.kind !== 'compressed') return false;
  const container = await after.entry(entry.stream);
  return container?.kind !== 'offset' || container.offset < end;
}

/** Null: the object is what it was. */
export async function compareObject(before: Pdf, after: Pdf, num: number): Promise<ChangedObject | null> {
  const was = await before.object(num);
  const found = await after.strictObject(num);
  const is = found?.value ?? null;
  if (await sameObject(before, was, after, is)) return null;
  return { num, before: was, after: is };
}

/** An object and no entry for it: invisible to readers that follow entries, in force for those that rebuild them. */
async function strayDefinitions(
  before: Pdf,
  after: Pdf,
  appended: readonly XrefSection[],
): Promise<{ strays: number[]; trailers: number }> {
  const start = before.source.size;
  const { source, reader } = after;
  const listed = new Set<number>();
  for (const section of appended) {
    listed.add(section.position + after.bias);
    for (const num of section.numbers()) {
      const entry = await section.lookup(num);
      if (entry?.kind === 'offset') listed.add(entry.offset);
    }
  }
  const scan = await scanFile({ size: source.size - start, read: (offset, length) => reader.window(start + offset, length) });
  let trailers = 0;
  for (const at of scan.trailers) {
    const text = latin1Text(await reader.window(start + at, 32));
    if (/^trailer\s*<</.test(text)) trailers++;
  }
  const strays = new Set<number>();
  for (const { num, offset } of scan.objects) if (!(await isListed(after, listed, start + offset))) strays.add(num);
  return { strays: [...strays], trailers };
}

/** Some writers' entries point at the white space before the object. */
async function isListed({ reader }: Pdf, listed: ReadonlySet<number>, offset: number): Promise<boolean> {
  if (listed.has(offset)) return true;
  const from = Math.max(0, offset - 8);
  const before = await reader.window(from, offset - from);
  for (let at = offset - 1; at >= from && [9, 10, 13, 32].includes(before[at - from] ?? 0); at--) if (listed.has(at)) return true;
  return false;
}
