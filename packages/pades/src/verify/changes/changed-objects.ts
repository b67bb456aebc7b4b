import { PdfName, PdfStream } from '../../pdf/objects.ts';
import type { PdfObject } from '../../pdf/objects.ts';
import type { Pdf } from '../../pdf/pdf.ts';
import type { XrefEntry } from '../../pdf/xref.ts';
import { sameObject } from './compare.ts';

/** One object that is not what it was. */
export interface ChangedObject {
  readonly num: number;
  /** Null: it was not there. */
  readonly before: PdfObject;
  /** Null: it is gone. */
  readonly after: PdfObject;
  readonly ambiguous: boolean;
}

export interface ChangedObjects {
  readonly objects: ReadonlyMap<number, ChangedObject>;
  /** What is wrong with the cross-reference of the later state itself, told once each. */
  readonly faults: readonly ('cross-reference' | 'hidden-object-revealed' | 'data-after-end')[];
}

/**
 * Objects that differ between two states of a file, found through the cross-reference sections appended in between. The
 * sections must lead back to the earlier state's own; an entry may not point into what was there before.
 */
export async function changedObjects(before: Pdf, after: Pdf): Promise<ChangedObjects> {
  const end = before.source.size;
  const faults = new Set<ChangedObjects['faults'][number]>();
  const numbers = new Set<number>();
  let next = 0;
  for (; next < after.sections.length; next++) {
    const section = after.sections[next];
    if (section === undefined || section.position + after.bias < end) break;
    if (section.hybrid && before.sections[0]?.hybrid !== true) faults.add('cross-reference');
    const own = new Set<number>();
    for (const num of section.numbers()) {
      // A hybrid's table lists as free what its stream defines (ISO 32000-2 §7.5.8.4).
      if (own.has(num) && !section.hybrid) faults.add('cross-reference');
      own.add(num);
      numbers.add(num);
    }
  }
  if (after.sections[next]?.position !== before.sections[0]?.position) faults.add('cross-reference');
  const objects = new Map<number, ChangedObject>();
  for (const num of numbers) {
    const [was, is] = [await before.entry(num), await after.entry(num)];
    if (sameEntry(was, is)) continue;
    if (await pointsBack(after, is, end)) faults.add('hidden-object-revealed');
    const changed = await compareObject(before, after, num);
    if (changed !== null) objects.set(num, changed);
  }
  if (!(await endsProperly(after))) faults.add('data-after-end');
  return { objects, faults: [...faults] };
}

function sameEntry(a: XrefEntry | undefined, b: XrefEntry | undefined): boolean {
  const [was, is] = [a ?? { kind: 'free' as const }, b ?? { kind: 'free' as const }];
  if (was.kind === 'offset') return is.kind === 'offset' && was.offset === is.offset;
  if (was.kind === 'compressed') return is.kind === 'compressed' && was.stream === is.stream;
  return is.kind === 'free';
}

async function pointsBack(after: Pdf, entry: XrefEntry | undefined, end: number): Promise<boolean> {
  if (entry?.kind === 'offset') return entry.offset < end;
  if (entry?.kind !== 'compressed') return false;
  const container = await after.entry(entry.stream);
  return container?.kind !== 'offset' || container.offset < end;
}

async function compareObject(before: Pdf, after: Pdf, num: number): Promise<ChangedObject | null> {
  const was = await before.object(num);
  const found = await after.strictObject(num);
  const is = found?.value ?? null;
  if (await sameObject(before, was, after, is)) return null;
  return { num, before: was, after: is, ambiguous: found?.ambiguous ?? false };
}

/** After the last %%EOF there is white space at most: anything else is read by some and not by others. */
export async function endsProperly(view: Pdf): Promise<boolean> {
  const { size } = view.source;
  const length = Math.min(size, 2048);
  const tail = String.fromCharCode(...(await view.reader.window(size - length, length)));
  return /startxref\s+\d+\s+%%EOF[\s\0]*$/.test(tail);
}

/** Containers of a revision's own: they hold objects and sections, and are shown to nobody. */
export function isContainer(value: PdfObject): boolean {
  if (!(value instanceof PdfStream)) return false;
  const type = value.dict.get('Type');
  return type instanceof PdfName && (type.value === 'XRef' || type.value === 'ObjStm');
}
