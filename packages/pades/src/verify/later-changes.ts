import { PadesError } from '../errors.ts';
import type { Pdf } from '../pdf/pdf.ts';
import { changedObjects } from './changes/changed-objects.ts';
import type { ChangedObjects } from './changes/changed-objects.ts';
import { reviewStep } from './changes/review-step.ts';
import { Usages } from './changes/usages.ts';
import { coversWhole } from './find-signatures.ts';
import type { Change } from './report.ts';

/** What happened to the file after each of the ends, or 'unreadable' when it cannot be told. */
export type LaterChanges = ReadonlyMap<number, readonly Change[] | 'unreadable'>;

/**
 * Compares each signed state with the next one. Every step is reviewed once, however many signatures stand before it, and
 * the signed state is walked once, so that the cost grows with the file and not with signatures times the file.
 */
export async function laterChanges(pdf: Pdf, ends: readonly number[]): Promise<LaterChanges> {
  const stops = [...new Set(ends)].toSorted((a, b) => a - b);
  const last = stops.at(-1);
  const result = new Map<number, readonly Change[] | 'unreadable'>();
  if (last === undefined) return result;
  if (!(await coversWhole(pdf, last))) stops.push(pdf.source.size);
  else result.set(last, []);
  if (stops.length === 1) return result;
  try {
    const steps = await reviewSteps(pdf, stops);
    let after: Change[] = [];
    for (let index = steps.length - 1; index >= 0; index--) {
      after = [...(steps[index] ?? []), ...after];
      result.set(stops[index] ?? 0, after);
    }
  } catch (error) {
    if (!(error instanceof PadesError)) throw error;
    for (const stop of stops.slice(0, -1)) result.set(stop, 'unreadable');
    if (!result.has(last)) result.set(last, 'unreadable');
  }
  return result;
}

async function reviewSteps(pdf: Pdf, stops: readonly number[]): Promise<Change[][]> {
  if (pdf.encrypted) throw new PadesError('ENCRYPTED');
  const views: Pdf[] = [];
  for (const stop of stops) views.push(await pdf.asOf(stop));
  const [first] = views;
  if (first === undefined) return [];
  const changed: ChangedObjects[] = [];
  for (const [index, view] of views.entries()) {
    const before = views[index - 1];
    if (before !== undefined) changed.push(await changedObjects(before, view));
  }
  const usages = await Usages.of(first, new Set(changed.flatMap(({ objects }) => [...objects.keys()])));
  const steps: Change[][] = [];
  for (const [index, step] of changed.entries()) {
    const [before, after] = [views[index], views[index + 1]];
    if (before === undefined || after === undefined) break;
    const changes = await reviewStep(before, after, step, usages);
    if (usages.overflow) changes.push({ level: 'forbidden', kind: 'data-after-end', field: null, visible: false, objectNumber: null });
    steps.push(changes);
    for (const { num, after: value } of step.objects.values()) usages.add(num, value);
  }
  return steps;
}
