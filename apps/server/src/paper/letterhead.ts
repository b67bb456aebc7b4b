import { readableOn } from '@lavra/domain';
import { PadesError, readImage } from '@lavra/pades';
import { drawable } from './model-stamp.ts';
import { channels } from './page-content.ts';
import type { PageTags } from './page-tags.ts';
import { palette } from './palette.ts';
import { plainPicture } from './plain-picture.ts';
import { roundedRectangle } from './shapes.ts';
import { sheet, type Sheets } from './sheets.ts';

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
/** The product's own, as on its pages (`icon.svg`): 32 units wide. */
const DRAWN_MARK =
  `${channels(palette.mark)} rg ${roundedRectangle(0, 0, 32, 32, 7)} f ${channels(palette.cream)} RG 2.4 w 1 J ` +
  '7 22 m 10 13 13 9 15 10 c 17 11 13 20 15 21 c 17 22 19 13 21 13 c 23 13 22 18 26 16 c S';
const LOGO = { top: 15, width: 150, height: 26 } as const;

/** The company's colour at the edge of a page. */
export function drawBand(pdf: Sheets, tags: PageTags, letterhead: Letterhead | null): void {
  const color = letterhead?.color;
  if (color) tags.adorn(() => pdf.area(0, 0, pdf.page.width, BAND, color));
}

/** The first line of a first page: the product's name, and the company's with its colour and logo. `width`: up to what stands beside. */
export function drawLetterhead(pdf: Sheets, tags: PageTags, letterhead: Letterhead | null, width: number): void {
  const { margin } = sheet;
  drawBand(pdf, tags, letterhead);
  tags.adorn(() => pdf.drawing(DRAWN_MARK, margin, margin - 2, MARK / 32));
  const first = margin + MARK + 6;
  tags.say('P', () => pdf.font('bold').fontSize(10).fillColor(palette.jade).text('Lavra', first, margin));
  pdf.x = margin;
  if (!letterhead) return;
  const { name, color } = letterhead;
  const logo = letterhead.logo && paperPicture(letterhead.logo);
  // The name beside it says the same.
  if (logo) tags.adorn(() => pdf.image(logo, margin, LOGO.top, { ...LOGO, middle: true }));
  const left = first + pdf.widthOfString('Lavra ');
  const below = pdf.y;
  tags.say('P', () =>
    pdf
      .fillColor(color && readableOn(color) === '#ffffff' ? color : palette.ink)
      .text(`· ${drawable(name)}`, left, margin, { width: width - (left - margin), cut: true }),
  );
  pdf.y = below;
  pdf.x = margin;
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
