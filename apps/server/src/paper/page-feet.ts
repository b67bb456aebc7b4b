import type { PageTags } from './page-tags.ts';
import { palette } from './palette.ts';
import { fittedSize, sheet, type Sheets } from './sheets.ts';

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

/** Draws it on all pages, when there are no more to come. */
export function drawFeet(pdf: Sheets, tags: PageTags, { subject, address, page: pageOf }: Foot): void {
  for (const [index, page] of pdf.pages.entries()) {
    pdf.page = page;
    const right = page.width - sheet.margin;
    const top = page.height - 50;
    const room = right - sheet.margin - NUMBER_WIDTH - 12;
    tags.adorn(() => {
      pdf.rule(sheet.margin, top, right, palette.line);
      pdf.font('regular').fillColor(palette.muted);
      const line = (text: string, y: number) => pdf.fontSize(fittedSize(pdf, text, room, SIZE)).line(text, sheet.margin, y);
      line(subject, top + 6);
      line(address, top + 17);
      const number = pageOf(index + 1, pdf.pages.length);
      pdf.fontSize(SIZE).line(number, right - pdf.widthOfString(number), top + 6);
    }, 'Pagination');
  }
}
