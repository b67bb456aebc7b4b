import type { PageTags } from './page-tags.ts';
import { palette } from './palette.ts';
import { type Doc, fittedSize, sheet } from './sheets.ts';

/** What is told at the foot of every page, so that none of them is ever without it. */
export interface Foot {
  /** What the paper speaks of, by its identifier. */
  subject: string;
  /** Where it is verified. */
  address: string;
  /** Page n of m; `n` from 1, of the pages drawn here. */
  page: (n: number, of: number) => string;
}

const SIZE = 7.5;
const NUMBER_WIDTH = 90;

/** Draws it on all pages; they are kept until the end (`bufferPages`). */
export function drawFeet(pdf: Doc, tags: PageTags, { subject, address, page }: Foot): void {
  const { start, count } = pdf.bufferedPageRange();
  for (let index = 0; index < count; index += 1) {
    pdf.switchToPage(start + index);
    const { width, height, margins } = pdf.page;
    const right = width - sheet.margin;
    const top = height - 50;
    const room = right - sheet.margin - NUMBER_WIDTH - 12;
    // Below what pdfkit takes for the page's end: it would begin a new one.
    const { bottom } = margins;
    margins.bottom = 0;
    tags.adorn(() => {
      pdf.moveTo(sheet.margin, top).lineTo(right, top).lineWidth(0.5).stroke(palette.line);
      pdf.font('regular').fillColor(palette.muted);
      const line = (text: string, y: number) =>
        pdf.fontSize(fittedSize(pdf, text, room, SIZE)).text(text, sheet.margin, y, { lineBreak: false });
      line(subject, top + 6);
      line(address, top + 17);
      pdf
        .fontSize(SIZE)
        .text(page(index + 1, count), right - NUMBER_WIDTH, top + 6, { width: NUMBER_WIDTH, align: 'right', lineBreak: false });
    }, 'Pagination');
    margins.bottom = bottom;
  }
}
