import type { PageTags } from './page-tags.ts';
import { palette } from './palette.ts';
import { fittedSize, floorOf, type Laid, sheet, type Sheets } from './sheets.ts';

/** A label and what stands beside it. */
export interface Fact {
  label: string;
  value: string;
  /** Never broken, smaller instead: hashes and addresses are compared as a whole. */
  whole?: boolean;
  /** In smaller letters below the value. */
  note?: string;
  /** A person wrote it: set in from what we say, so that however it breaks it cannot be taken for a line of ours. */
  quoted?: boolean;
}

interface Columns {
  /** Of the labels. */
  label: number;
  /** Of both and the room between them. */
  width: number;
  /** So many of the last stay together on one page. */
  together?: number;
}

const BETWEEN = 10;
/** Of what people wrote. */
const SET_IN = 12;
const LABEL = 8.5;
const VALUE = 9.5;
const NOTE = 7.5;

/** Labels on the left, values on the right, from `pdf.y` on; a fact begins a new page rather than being torn in two. */
export function drawFacts(pdf: Sheets, tags: PageTags, facts: readonly Fact[], { label, width, together = 1 }: Columns): void {
  const { margin } = sheet;
  const placed = facts.map((fact) => placeOf(pdf, fact, { label, width }));
  for (const [index, { laid, left, height }] of placed.entries()) {
    const isLastGroup = index === facts.length - together;
    const needed = isLastGroup ? placed.slice(index).reduce((sum, one) => sum + one.height, 0) : height;
    if (pdf.y + needed > floorOf(pdf)) pdf.addPage();
    const { y } = pdf;
    tags.say('P', () => {
      pdf.fillColor(palette.muted).write(laid.label, margin, y + 1);
      pdf.fillColor(palette.ink).write(laid.value, left, y);
      if (laid.note) pdf.fillColor(palette.muted).write(laid.note, left, pdf.y);
    });
    pdf.y = y + height;
    pdf.x = margin;
  }
}

interface Placed {
  laid: { label: Laid; value: Laid; note: Laid | null };
  /** Of the value. */
  left: number;
  /** With the room below it. */
  height: number;
}

function placeOf(pdf: Sheets, fact: Fact, columns: Columns): Placed {
  const left = sheet.margin + columns.label + BETWEEN + (fact.quoted ? SET_IN : 0);
  const room = { width: sheet.margin + columns.width - left };
  const label = pdf.font('bold').fontSize(LABEL).lay(fact.label, { width: columns.label });
  const size = fact.whole ? fittedSize(pdf.font('regular'), fact.value, room.width, VALUE) : VALUE;
  const value = pdf.font('regular').fontSize(size).lay(fact.value, room);
  const note = fact.note === undefined ? null : pdf.fontSize(NOTE).lay(fact.note, room);
  const height = Math.max(label.height + 1, value.height + (note?.height ?? 0)) + 4;
  return { laid: { label, value, note }, left, height };
}
