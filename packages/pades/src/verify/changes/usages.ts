import { PadesError } from '../../errors.ts';
import { PdfRef, PdfStream } from '../../pdf/objects.ts';
import type { PdfObject } from '../../pdf/objects.ts';
import type { Pdf } from '../../pdf/pdf.ts';
import { referencesIn } from './compare.ts';

/** Who refers to an object: the referring object's number (0: the trailer) and the key that leads there. */
export interface Usage {
  readonly from: number;
  readonly key: string;
}

const maxObjects = 3_000_000;

/**
 * References to some objects, kept true from revision to revision. The first state is walked once, as far as it can be
 * reached; after that only what changed is looked at, so that many signatures cost no more than one.
 */
export class Usages {
  /** Streams whose stated data reach beyond the end of the first state: later bytes would become their content. */
  overflow = false;
  private readonly found = new Map<number, Usage[]>();
  private readonly interest: ReadonlySet<number>;

  private constructor(interest: ReadonlySet<number>) {
    this.interest = interest;
  }

  static async of(view: Pdf, interest: ReadonlySet<number>): Promise<Usages> {
    const usages = new Usages(interest);
    const seen = new Set<number>();
    const queue: number[] = [];
    const visit = (value: PdfObject, from: number): void => {
      for (const { ref, key } of referencesIn(value)) {
        usages.note(ref.num, { from, key });
        if (seen.has(ref.num)) continue;
        seen.add(ref.num);
        queue.push(ref.num);
      }
    };
    visit(new Map([...view.trailer].filter(([key]) => key === 'Root' || key === 'Info')), 0);
    for (let num = queue.pop(); num !== undefined; num = queue.pop()) {
      // A large document takes a second: others get their turn.
      if (seen.size % 1024 === 0) await new Promise((resolve) => setTimeout(resolve));
      if (seen.size > maxObjects) throw new PadesError('TOO_COMPLEX', 'too many objects');
      const value = await view.object(num);
      visit(value, num);
      if (value instanceof PdfStream && (await overflows(view, value))) usages.overflow = true;
    }
    return usages;
  }

  /** Where the object was referred to so far. */
  to(num: number): readonly Usage[] {
    return this.found.get(num) ?? [];
  }

  /** Takes in what a revision wrote. */
  add(num: number, value: PdfObject): void {
    for (const { ref, key } of referencesIn(value)) this.note(ref.num, { from: num, key });
  }

  private note(num: number, usage: Usage): void {
    if (!this.interest.has(num)) return;
    const known = this.found.get(num);
    if (known === undefined) this.found.set(num, [usage]);
    else if (known.length < 64) known.push(usage);
  }
}

async function overflows(view: Pdf, stream: PdfStream): Promise<boolean> {
  if (stream.bytes !== null) return false;
  const raw = stream.dict.get('Length');
  const length = raw instanceof PdfRef ? await view.resolve(raw) : raw;
  return typeof length === 'number' && stream.offset + length > view.source.size;
}
