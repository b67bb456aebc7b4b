import type { Work } from './work.ts';
import type { XrefEntry, XrefSection } from './xref.ts';

/** A section with more entries than this is asked by itself; those of revisions that sign have a handful. */
const maxIndexed = 1024;
const entryCost = 64;
/** So few sections are asked one after the other. */
const few = 4;

/** Which sections speak of an object, over all revisions of a file; sections are counted from the oldest. */
interface Holders {
  readonly byNumber: Map<number, number[]>;
  /** Those that are asked by themselves. */
  readonly wide: number[];
  readonly taken: XrefSection[];
}

const everyOne = Array.from({ length: few }, (_, ordinal) => ordinal);
const noOne: readonly number[] = [];

/**
 * The sections of one state, and where each object is spoken of. States that grow out of one another share what they have
 * gathered, so that a file with many revisions costs their sum, not their square.
 */
export class SectionIndex {
  /** Newest first. */
  readonly sections: readonly XrefSection[];
  private holders: Holders;

  private constructor(sections: readonly XrefSection[], holders: Holders) {
    this.sections = sections;
    this.holders = holders;
  }

  static of(sections: readonly XrefSection[]): SectionIndex {
    return new SectionIndex(sections, { byNumber: new Map(), wide: [], taken: [] });
  }

  /** The index of a later state; what it adds is gathered on top, when it does lead back to this one. */
  grownTo(sections: readonly XrefSection[], work: Work): SectionIndex {
    work.spend(this.sections.length);
    const added = sections.length - this.sections.length;
    const isGrown = added >= 0 && this.sections.every((section, index) => sections[added + index] === section);
    return isGrown ? new SectionIndex(sections, this.holders) : SectionIndex.of(sections);
  }

  /** The entry in force. At once when nothing need be read for it. */
  lookup(num: number, work: Work): XrefEntry | undefined | Promise<XrefEntry | undefined> {
    const { length } = this.sections;
    if (length <= few) return this.ask(num, noOne, -1, everyOne, length - 1, work);
    const { byNumber, wide } = this.gathered(work);
    const own = byNumber.get(num) ?? noOne;
    return this.ask(num, own, lastBelow(own, length), wide, lastBelow(wide, length), work);
  }

  /** Asks sections newest first, from `own[i]` and `wide[j]` down, until one has an entry. */
  private ask(
    num: number,
    own: readonly number[],
    i: number,
    wide: readonly number[],
    j: number,
    work: Work,
  ): XrefEntry | undefined | Promise<XrefEntry | undefined> {
    while (i >= 0 || j >= 0) {
      const one = own[i] ?? -1;
      const other = wide[j] ?? -1;
      if (one > other) i--;
      else j--;
      work.spend(1);
      const entry = this.sections[this.sections.length - 1 - Math.max(one, other)]?.lookup(num);
      if (entry instanceof Promise) {
        const [nextOwn, nextWide] = [i, j];
        return entry.then((found) => found ?? this.ask(num, own, nextOwn, wide, nextWide, work));
      }
      if (entry !== undefined) return entry;
    }
    return undefined;
  }

  private gathered(work: Work): Holders {
    const { sections } = this;
    const { length } = this.holders.taken;
    // Another state may have grown out of the same earlier one.
    const isOurs =
      length === 0 || (length <= sections.length ? this.tipIs(length) : this.holders.taken[sections.length - 1] === sections[0]);
    if (!isOurs) this.holders = { byNumber: new Map(), wide: [], taken: [] };
    const { byNumber, wide, taken } = this.holders;
    while (taken.length < sections.length) {
      const ordinal = taken.length;
      const section = sections[sections.length - 1 - ordinal];
      if (section === undefined) break;
      taken.push(section);
      if (section.count > maxIndexed) {
        wide.push(ordinal);
        continue;
      }
      work.spend(entryCost * (1 + section.count));
      for (const num of section.numbers()) {
        const known = byNumber.get(num);
        if (known === undefined) byNumber.set(num, [ordinal]);
        else if (known.at(-1) !== ordinal) known.push(ordinal);
      }
    }
    return this.holders;
  }

  private tipIs(length: number): boolean {
    return this.holders.taken[length - 1] === this.sections[this.sections.length - length];
  }
}

/** Where the last of the ascending numbers below `limit` stands, or -1. */
function lastBelow(ascending: readonly number[], limit: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? 0) < limit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
