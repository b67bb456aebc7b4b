import type { PageTags } from './page-tags.ts';
import { palette } from './palette.ts';
import { type Doc, fittedSize, floorOf, sheet } from './sheets.ts';

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
export function drawFacts(pdf: Doc, tags: PageTags, facts: readonly Fact[], { label, width, together = 1 }: Columns): void {
  const { margin } = sheet;
  const placed = facts.map((fact) => placeOf(pdf, fact, { label, width }));
  for (const [index, { fact, left, room, size, height }] of placed.entries()) {
    const isLastGroup = index === facts.length - together;
    const needed = isLastGroup ? placed.slice(index).reduce((sum, one) => sum + one.height, 0) : height;
    if (pdf.y + needed > floorOf(pdf)) pdf.addPage();
    const { y } = pdf;
    tags.say('P', () => {
      pdf
        .font('bold')
        .fontSize(LABEL)
        .fillColor(palette.muted)
        .text(fact.label, margin, y + 1, { width: label });
      pdf.font('regular').fontSize(size).fillColor(palette.ink).text(fact.value, left, y, { width: room });
      if (fact.note !== undefined) pdf.fontSize(NOTE).fillColor(palette.muted).text(fact.note, left, pdf.y, { width: room });
    });
    pdf.y = y + height;
    pdf.x = margin;
  }
}

interface Placed {
  fact: Fact;
  /** Of the value. */
  left: number;
  room: number;
  size: number;
  /** With the room below it. */
  height: number;
}

function placeOf(pdf: Doc, fact: Fact, { label, width }: Columns): Placed {
  const left = sheet.margin + label + BETWEEN + (fact.quoted ? SET_IN : 0);
  const room = sheet.margin + width - left;
  const size = fact.whole ? fittedSize(pdf.font('regular'), fact.value, room, VALUE) : VALUE;
  return { fact, left, room, size, height: heightOf(pdf, fact, { label, room, size }) };
}

function heightOf(pdf: Doc, fact: Fact, { label, room, size }: { label: number; room: number; size: number }): number {
  const labels = pdf.font('bold').fontSize(LABEL).heightOfString(fact.label, { width: label });
  const values = pdf.font('regular').fontSize(size).heightOfString(fact.value, { width: room });
  const notes = fact.note === undefined ? 0 : pdf.fontSize(NOTE).heightOfString(fact.note, { width: room });
  return Math.max(labels + 1, values + notes) + 4;
}
