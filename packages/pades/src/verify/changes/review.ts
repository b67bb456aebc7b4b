import type { Pdf } from '../../pdf/pdf.ts';
import type { Change } from '../report.ts';
import type { ChangedObject, ChangedObjects } from './changed-objects.ts';
import type { FormModel } from './form-model.ts';
import type { Usage, Usages } from './usages.ts';

/**
 * What one step from a state to a later one did. Rules claim the changed objects they understand; an object that nobody
 * claims is a forbidden change. A rule looks at the same path in both states, and an object written over in place must
 * not have been used for anything else.
 */
export class Review {
  readonly before: Pdf;
  readonly after: Pdf;
  readonly usages: Usages;
  readonly formBefore: FormModel;
  readonly formAfter: FormModel;
  readonly changes: Change[] = [];
  private readonly open: Map<number, ChangedObject>;

  constructor(before: Pdf, after: Pdf, changed: ChangedObjects, usages: Usages, forms: { before: FormModel; after: FormModel }) {
    this.before = before;
    this.after = after;
    this.usages = usages;
    this.formBefore = forms.before;
    this.formAfter = forms.after;
    this.open = new Map(changed.objects);
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
    const change = { level, kind, field: about.field ?? null, visible: about.visible ?? false, objectNumber: about.num ?? null };
    const known = this.changes.some(
      (one) => one.level === level && one.kind === kind && one.field === change.field && level !== 'forbidden',
    );
    if (!known) this.changes.push(change);
  }
}
