import { PdfRef } from '../../pdf/objects.ts';
import type { Pdf } from '../../pdf/pdf.ts';
import type { Change } from '../report.ts';
import type { ChangedObject, ChangedObjects } from './changed-objects.ts';
import type { FieldNode, FormModel } from './form-model.ts';
import type { Usage, Usages } from './usages.ts';

const maxToldAlike = 1000;

/** A change by the objects it was seen in: on which pages those stand is found out afterwards, once for all. */
export interface FoundChange extends Omit<Change, 'pages'> {
  /** Of what is visible or forbidden. */
  readonly objects: number[];
}

/** From one state to a later one. */
export interface Step {
  readonly before: Pdf;
  readonly after: Pdf;
  readonly changed: ChangedObjects;
  readonly usages: Usages;
  /** Tells of an object that it holds a signature which ends where this step ends, over everything in it, and which is intact. */
  readonly isSigned: (num: number) => Promise<boolean>;
  readonly forms: { readonly before: FormModel; readonly after: FormModel };
}

/**
 * Difference analysis by an allowlist: what one step from a state to a later one did. Rules claim the changed objects they
 * understand; an object that nobody claims is a forbidden change. A rule looks at the same path in both states, and an object
 * written over in place must not have been used for anything else.
 */
export class Review {
  readonly before: Pdf;
  readonly after: Pdf;
  readonly usages: Usages;
  readonly formBefore: FormModel;
  readonly formAfter: FormModel;
  readonly changes: FoundChange[] = [];
  private readonly isSigned: Step['isSigned'];
  readonly trailers: ChangedObjects['trailers'];
  /** Every object of the step that is not what it was. */
  readonly changed: readonly ChangedObject[];
  private readonly told = new Map<string, { times: number; first: FoundChange }>();
  private readonly found = new Map<unknown, unknown>();
  private readonly open: Map<number, ChangedObject>;

  constructor({ before, after, changed, usages, isSigned, forms }: Step) {
    this.before = before;
    this.after = after;
    this.usages = usages;
    this.isSigned = isSigned;
    this.trailers = changed.trailers;
    this.formBefore = forms.before;
    this.formAfter = forms.after;
    this.changed = [...changed.objects.values()];
    this.open = new Map(changed.objects);
  }

  /** The field's value is a signature made by this very step, over everything in it. */
  isSignedNow({ num, value }: FieldNode): Promise<boolean> {
    return this.isSigned(value instanceof PdfRef ? value.num : num);
  }

  /** Changed objects nobody has claimed yet. */
  get unclaimed(): Iterable<ChangedObject> {
    return [...this.open.values()];
  }

  changedObject(num: number): ChangedObject | undefined {
    return this.open.get(num);
  }

  claim(num: number): void {
    this.open.delete(num);
  }

  /** True when every reference to the object, before this step, is of that kind. */
  isOnlyUsed(num: number, as: (usage: Usage) => boolean): boolean {
    return this.usages.to(num).every(as);
  }

  report(level: Change['level'], kind: Change['kind'], about: { field?: string; visible?: boolean; num?: number } = {}): void {
    const { field = null, visible = false, num = null } = about;
    const objects = num !== null && (visible || level === 'forbidden') ? [num] : [];
    const change = { level, kind, field, visible, objectNumber: num, objects };
    const key = `${level} ${kind} ${field ?? ''}`;
    // Of what is forbidden, each is told; of a flood of it, the first.
    const told = this.told.get(key) ?? { times: 0, first: change };
    this.told.set(key, told);
    told.times += 1;
    if (told.times > maxToldAlike) return;
    if (level === 'forbidden' || told.times === 1) this.changes.push(change);
    else told.first.objects.push(...objects);
  }

  /** What `make` finds out of this step, found out once. */
  once<T>(make: (review: Review) => T): T {
    if (!this.found.has(make)) this.found.set(make, make(this));
    return this.found.get(make) as T;
  }
}
