import { PadesError } from '../../errors.ts';
import { PdfRef, PdfStream } from '../../pdf/objects.ts';
import type { PdfDict, PdfObject } from '../../pdf/objects.ts';
import type { Pdf } from '../../pdf/pdf.ts';
import { eachReference, eachReferred } from '../../pdf/references.ts';
import { otherReferences } from '../../pdf/spelled-references.ts';
import { endsWithin } from '../../pdf/stream-data.ts';
import type { ChangedObject } from './changed-objects.ts';

/** Who refers to an object: the referring object's number (0: the trailer), the key that leads there, and all keys above it. */
export interface Usage {
  readonly from: number;
  readonly key: string;
  readonly path: string;
}

const maxObjects = 3_000_000;
const turn = 4096;
const maxNotes = 1_000_000;

/** Entries of the catalog that lead to nothing a reader paints or runs: what is reached only through them is not shown. */
const quietKeys = new Set(['DSS', 'StructTreeRoot', 'MarkInfo', 'Metadata', 'Extensions']);

/**
 * References to some objects, kept true from revision to revision, and what of the document is shown. The first state is
 * walked once, as far as it can be reached; after that only what changed is looked at, so that many signatures cost no
 * more than one. What was shown or used once counts as shown and used for ever.
 */
export class Usages {
  /** Something signed has no end inside its file: later bytes would become part of it. */
  overflow = false;
  /** Numbers that something shown refers to and that lead to no object. */
  readonly dangling = new Set<number>();
  private readonly found = new Map<number, Map<string, Usage>>();
  private readonly shown = new Set<number>();
  private readonly quiet = new Set<number>();
  private notes = 0;
  private readonly interest: ReadonlySet<number>;
  /** Of every state so far. */
  private readonly catalogs = new Set<number>();

  private constructor(interest: ReadonlySet<number>, root: PdfObject | undefined) {
    this.interest = interest;
    if (root instanceof PdfRef) this.catalogs.add(root.num);
  }

  static async of(view: Pdf, interest: ReadonlySet<number>): Promise<Usages> {
    const usages = new Usages(interest, view.trailer.get('Root'));
    const { shown, quiet } = usages;
    await usages.walk(view, new Map([...view.trailer].filter(([key]) => key === 'Root')), 0, shown);
    const catalog = await view.resolveDict(view.trailer.get('Root'));
    const rest: PdfDict = new Map([...(catalog ?? [])].filter(([key]) => quietKeys.has(key)));
    await usages.walk(view, rest, [...usages.catalogs][0] ?? 0, quiet);
    await usages.walk(view, new Map([...view.trailer].filter(([key]) => key === 'Info')), 0, quiet);
    return usages;
  }

  /** Where the object was referred to so far. */
  to(num: number): readonly Usage[] {
    return [...(this.found.get(num)?.values() ?? [])];
  }

  /** A reader gets there from the catalog without passing validation data, structure, metadata or extensions. */
  isShown(num: number): boolean {
    return this.shown.has(num);
  }

  /** It was the root of this state or of an earlier one. */
  isCatalog(num: number): boolean {
    return this.catalogs.has(num);
  }

  /** Every object that is shown. */
  get everythingShown(): ReadonlySet<number> {
    return this.shown;
  }

  isReachable(num: number): boolean {
    return this.shown.has(num) || this.quiet.has(num);
  }

  /** Takes in what a revision wrote. */
  async add(view: Pdf, changed: Iterable<ChangedObject>): Promise<void> {
    const root = view.trailer.get('Root');
    if (root instanceof PdfRef && !this.catalogs.has(root.num)) {
      this.catalogs.add(root.num);
      this.shown.add(root.num);
      this.note(root.num, 0, 'Root', 'Root');
    }
    for (const { num, after } of changed) {
      if (this.shown.has(num)) await this.walk(view, this.shownPart(num, after), num, this.shown);
      eachReference(after, (to, key, path) => {
        this.note(to, num, key, path);
        if (!this.shown.has(to)) this.quiet.add(to);
      });
    }
  }

  /** Follows references out of `start`, which stands in object `from`, into everything that `into` does not hold yet. */
  private async walk(view: Pdf, start: PdfObject, from: number, into: Set<number>): Promise<void> {
    const queue: number[] = [];
    let steps = 0;
    let at = from;
    let isNoted = false;
    const meet = (num: number): void => {
      isNoted ||= this.interest.has(num);
      if (into.has(num) || this.shown.has(num)) return;
      into.add(num);
      queue.push(num);
    };
    const note = (num: number, key: string, path: string): void => this.note(num, at, key, path);
    // Few lead to what changed: the keys above a reference are spelled only then.
    const enter = (value: PdfObject): void => {
      isNoted = false;
      eachReferred(value, meet);
      if (isNoted) eachReference(value, note);
    };
    enter(start);
    for (let num = queue.pop(); num !== undefined; num = queue.pop()) {
      if (into.size > maxObjects) throw new PadesError('TOO_COMPLEX', 'too many objects');
      // A large document takes a while: others get their turn.
      if (++steps % turn === 0) await new Promise((resolve) => setTimeout(resolve));
      // Waiting for what is there already would cost more than all the rest.
      const found = view.strictObject(num);
      const object = found instanceof Promise ? await found : found;
      const value = object?.value ?? null;
      if (value === null) this.dangling.add(num);
      const ends = value instanceof PdfStream ? endsWithin(view, value) : true;
      if (object?.ranOut === true || !(ends instanceof Promise ? await ends : ends)) this.overflow = true;
      at = num;
      // What another reader finds in it is in use too, as nobody knows what.
      for (const other of object === undefined ? [] : await otherReferences(view, num, object)) {
        meet(other);
        note(other, '', '');
      }
      enter(into === this.shown ? this.shownPart(num, value) : value);
    }
  }

  private shownPart(num: number, value: PdfObject): PdfObject {
    if (!this.catalogs.has(num) || !(value instanceof Map)) return value;
    return new Map([...value].filter(([key]) => !quietKeys.has(key)));
  }

  private note(num: number, from: number, key: string, path: string): void {
    if (!this.interest.has(num)) return;
    if (++this.notes > maxNotes) throw new PadesError('TOO_COMPLEX', 'too many references to what changed');
    const known = this.found.get(num) ?? new Map<string, Usage>();
    known.set(`${from} ${path}`, { from, key, path });
    this.found.set(num, known);
  }
}
