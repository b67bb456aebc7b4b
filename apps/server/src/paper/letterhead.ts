import { readableOn } from '@lavra/domain';
import { PadesError, readImage } from '@lavra/pades';
import { drawable } from './model-stamp.ts';
import type { PageTags } from './page-tags.ts';
import { palette } from './palette.ts';
import { plainPicture } from './plain-picture.ts';
import { type Doc, sheet } from './sheets.ts';

/** The company of who sent a process, as it says of itself. */
export interface Letterhead {
  name: string;
  cnpj: string | null;
  /** `#rrggbb`. */
  color: string | null;
  /** PNG or JPEG. */
  logo: Uint8Array | null;
}

const BAND = 6;
const MARK = 16;
const FLOURISH = 'M7 22c3-9 6-13 8-12s-2 10 0 11 4-8 6-8 1 5 5 3';
const LOGO = { top: 15, width: 150, height: 26 } as const;

/** The company's colour at the edge of a page. */
export function drawBand(pdf: Doc, tags: PageTags, letterhead: Letterhead | null): void {
  const color = letterhead?.color;
  if (color) tags.adorn(() => pdf.rect(0, 0, pdf.page.width, BAND).fill(color));
}

/** The first line of a first page: the product's name, and the company's with its colour and logo. `width`: up to what stands beside. */
export function drawLetterhead(pdf: Doc, tags: PageTags, letterhead: Letterhead | null, width: number): void {
  const { margin } = sheet;
  drawBand(pdf, tags, letterhead);
  tags.adorn(() => drawMark(pdf, margin, margin - 2, MARK));
  const first = margin + MARK + 6;
  tags.say('P', () => pdf.font('bold').fontSize(10).fillColor(palette.jade).text('Lavra', first, margin));
  pdf.x = margin;
  if (!letterhead) return;
  const { name, color } = letterhead;
  const logo = letterhead.logo && paperPicture(letterhead.logo);
  // The name beside it says the same.
  if (logo) tags.adorn(() => pdf.image(logo, margin, LOGO.top, { fit: [LOGO.width, LOGO.height], valign: 'center' }));
  const left = first + pdf.widthOfString('Lavra ');
  const below = pdf.y;
  tags.say('P', () =>
    pdf
      .fillColor(color && readableOn(color) === '#ffffff' ? color : palette.ink)
      .text(`· ${drawable(name)}`, left, margin, { width: width - (left - margin), height: 13, ellipsis: true }),
  );
  pdf.y = below;
  pdf.x = margin;
}

/** The product's own, as on its pages: 32 units wide. */
function drawMark(pdf: Doc, x: number, y: number, size: number): void {
  pdf
    .save()
    .translate(x, y)
    .scale(size / 32);
  pdf.roundedRect(0, 0, 32, 32, 7).fill(palette.mark);
  pdf.path(FLOURISH).lineWidth(2.4).lineCap('round').stroke(palette.cream).restore();
}

/** A press's four inks look different on every screen, and files of some standards refuse them: then there is the name alone. */
function paperPicture(bytes: Uint8Array): Buffer | null {
  try {
    return readImage(bytes).components === 4 ? null : plainPicture(bytes);
  } catch (error) {
    if (error instanceof PadesError) return null;
    throw error;
  }
}
