import { PadesError } from '../errors.ts';
import type { Pdf } from '../pdf/pdf.ts';
import { changedObjects, compareObject } from './changes/changed-objects.ts';
import type { ChangedObjects } from './changes/changed-objects.ts';
import { formModel } from './changes/form-model.ts';
import { locateChanges } from './changes/locate-changes.ts';
import { reviewStep } from './changes/review-step.ts';
import type { FoundChange } from './changes/review.ts';
import { Usages } from './changes/usages.ts';
import { coversWhole } from './find-signatures.ts';
import type { FoundSignature } from './find-signatures.ts';
import type { Change } from './report.ts';

/** An entry in a list. */
const changeCost = 64;

/** What happened to the file after each of the ends, or 'unreadable' when it cannot be told. */
export type LaterChanges = ReadonlyMap<number, readonly Change[] | 'unreadable'>;

/**
 * Compares each signed state with the next one. Every step is reviewed once, however many signatures stand before it, and
 * the signed state is walked once, so that the cost grows with the file and not with signatures times the file.
 */
export async function laterChanges(
  pdf: Pdf,
  found: readonly FoundSignature[],
  isIntact: (one: FoundSignature) => Promise<boolean>,
): Promise<LaterChanges> {
  const sound = found.filter(({ range, fault }) => range !== null && fault === null);
  const stops = [...new Set(sound.map(({ range }) => range?.end ?? 0))].toSorted((a, b) => a - b);
  const last = stops.at(-1);
  const result = new Map<number, readonly Change[] | 'unreadable'>();
  if (last === undefined) return result;
  if (!(await coversWhole(pdf, last))) stops.push(pdf.source.size);
  else result.set(last, []);
  if (stops.length === 1) return result;
  try {
    const steps = await locateChanges(pdf, await reviewSteps(pdf, stops, sound, isIntact));
    let after: Change[] = [];
    for (let index = steps.length - 1; index >= 0; index--) {
      after = [...(steps[index] ?? []), ...after];
      // Told for every signature before them: of many steps with much in each, a list of lists.
      pdf.reader.work.spend(changeCost * after.length);
      result.set(stops[index] ?? 0, after);
    }
  } catch (error) {
    if (!(error instanceof PadesError)) throw error;
    for (const stop of stops.slice(0, -1)) result.set(stop, 'unreadable');
    if (!result.has(last)) result.set(last, 'unreadable');
  }
  return result;
}

async function reviewSteps(
  pdf: Pdf,
  stops: readonly number[],
  sound: readonly FoundSignature[],
  isIntact: (one: FoundSignature) => Promise<boolean>,
): Promise<FoundChange[][]> {
  if (pdf.locked) throw new PadesError('ENCRYPTED');
  const views: Pdf[] = [];
  for (const stop of stops) views.push(await pdf.asOf(stop, views.at(-1)));
  const [first] = views;
  if (first === undefined) return [];
  const changed: ChangedObjects[] = [];
  for (const [index, view] of views.entries()) {
    const before = views[index - 1];
    if (before !== undefined) changed.push(await changedObjects(before, view));
    before?.forget();
  }
  let form = await formModel(first);
  // Who uses a look in place is asked of everything that leads to it.
  const interest = new Set([...changed.flatMap(({ objects }) => [...objects.keys()]), ...form.appearances.keys()]);
  const usages = await Usages.of(first, interest);
  const steps: FoundChange[][] = [];
  for (const [index, step] of changed.entries()) {
    const [before, after] = [views[index], views[index + 1]];
    if (before === undefined || after === undefined) break;
    const made = new Map(sound.filter(({ range }) => isMadeIn(range, before, after)).map((one) => [one.num, one]));
    const isSigned = async (num: number) => {
      const one = made.get(num);
      return one !== undefined && isIntact(one);
    };
    const forms = { before: form, after: await formModel(after, { model: form, changed: step.objects }) };
    const changes = await reviewStep({ before, after, changed: step, usages, isSigned, forms });
    form = forms.after;
    changes.push(...(await revealed(before, after, step, usages)).map(forbidden));
    steps.push(changes);
    await usages.add(after, step.objects.values());
    before.forget();
  }
  return steps;
}

function isMadeIn(range: FoundSignature['range'], before: Pdf, after: Pdf): boolean {
  return range !== null && range.end === after.source.size && range.gapStart >= before.source.size;
}

/**
 * What no entry of the update tells: signed references that lead to nothing, until bytes are put where their entry points
 * (behind the signed end, into a container that was missing); signed things without an end; and definitions that compete
 * with those that entries name.
 */
async function revealed(
  before: Pdf,
  after: Pdf,
  { objects, strays, unclear }: ChangedObjects,
  usages: Usages,
): Promise<{ kind: Change['kind']; num: number | null }[]> {
  const result: { kind: Change['kind']; num: number | null }[] = usages.overflow ? [{ kind: 'data-after-end', num: null }] : [];
  for (const num of usages.dangling) {
    const entry = objects.has(num) ? undefined : await after.entry(num);
    if (entry === undefined || entry.kind === 'free') continue;
    if ((await compareObject(before, after, num)) !== null) result.push({ kind: 'hidden-object-revealed', num });
  }
  for (const num of strays) {
    const isKnown = usages.dangling.has(num) || (await before.object(num)) !== null || (await after.object(num)) !== null;
    if (isKnown && !unclear.includes(num)) result.push({ kind: 'ambiguous-object', num });
  }
  return result;
}

function forbidden({ kind, num }: { kind: Change['kind']; num: number | null }): FoundChange {
  return { level: 'forbidden', kind, field: null, visible: false, objectNumber: num, objects: num === null ? [] : [num] };
}
