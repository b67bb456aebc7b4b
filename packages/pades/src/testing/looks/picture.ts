/** Dots per point: half a dot is enough to see a digit change, and everything is drawn four times as fast. */
export const scale = 0.5;
/** Pages beyond these are not looked at; the grammar makes two. */
export const maxPages = 4;

/** One page as somebody sees it. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  /** Three bytes a dot. */
  readonly dots: Uint8Array;
}

export type Medium = 'screen' | 'print';

/** The first pages as they are seen; null when the program shows nothing, 'endless' when it had to be stopped. */
export type Drawn = readonly Picture[] | null | 'endless';

/** A program that shows PDFs. */
export interface Drawer {
  readonly name: string;
  /** Answers in bounded time whatever the file does to the program. */
  draw(file: Uint8Array, medium: Medium): Promise<Drawn>;
  /** The same by a program that drew nothing before; slower. Where it is missing `draw` does that. */
  drawAlone?(file: Uint8Array, medium: Medium): Promise<Drawn>;
  /** Where letters stand a fraction of a dot elsewhere when another letter comes to the page. */
  readonly jittersOn?: Medium;
  close(): Promise<void>;
}

/** A rectangle on a page, in points from the page's lower left corner as it is shown. */
export interface Claim {
  /** From zero. */
  readonly page: number;
  readonly box: readonly [x0: number, y0: number, x1: number, y1: number];
}

const farApart = 48;
const farApartWithJitter = 112;
/** Boxes bleed by a line's width and a dot's rounding. */
const margin = 3;

/** How many dots differ outside of what was claimed; a page more or less counts with all its dots. */
export function differences(a: readonly Picture[], b: readonly Picture[], claims: readonly Claim[], jitters = false): number {
  let count = 0;
  for (let page = 0; page < Math.max(a.length, b.length); page++) {
    const [was, is] = [a[page], b[page]];
    if (was !== undefined && is !== undefined && was.width === is.width && was.height === is.height) {
      const boxes = claims.filter((claim) => claim.page === page).map(({ box }) => box);
      count += differentDots(was, is, boxes, jitters);
    } else count += (was ?? is)?.dots.length ?? 1;
  }
  return count;
}

function differentDots(a: Picture, b: Picture, boxes: readonly Claim['box'][], jitters: boolean): number {
  if (Buffer.compare(a.dots, b.dots) === 0) return 0;
  let count = 0;
  for (let at = 0; at < a.dots.length; at += 3) {
    if (isNear(a, b, at, at, farApart)) continue;
    if (jitters && isThereabouts(a, b, at) && isThereabouts(b, a, at)) continue;
    const index = at / 3;
    const [x, y] = [((index % a.width) + 0.5) / scale, (a.height - Math.floor(index / a.width) - 0.5) / scale];
    const isClaimed = boxes.some(([x0, y0, x1, y1]) => x > x0 - margin && x < x1 + margin && y > y0 - margin && y < y1 + margin);
    if (!isClaimed) count++;
  }
  return count;
}

/** The dot is in the other picture too, or beside it. */
function isThereabouts(a: Picture, b: Picture, at: number): boolean {
  const row = a.width * 3;
  const beside = [-row - 3, -row, -row + 3, -3, 0, 3, row - 3, row, row + 3];
  return beside.some((step) => isNear(a, b, at, at + step, farApartWithJitter));
}

function isNear(a: Picture, b: Picture, from: number, to: number, limit: number): boolean {
  for (let channel = 0; channel < 3; channel++) {
    if (Math.abs((a.dots[from + channel] ?? 0) - (b.dots[to + channel] ?? 0)) > limit) return false;
  }
  return true;
}

/** Binary PPM pictures one behind the other, as programs write pages; null when it is something else. */
export function readPictures(bytes: Uint8Array): Picture[] | null {
  const pictures: Picture[] = [];
  for (let at = 0; at < bytes.length && pictures.length < maxPages;) {
    const head = /^P6\s+(?:#[^\n]*\n\s*)*(\d+)\s+(\d+)\s+255\s/.exec(Buffer.from(bytes.subarray(at, at + 200)).toString('latin1'));
    if (head === null) return null;
    const [width, height] = [Number(head[1]), Number(head[2])];
    const start = at + head[0].length;
    pictures.push({ width, height, dots: bytes.subarray(start, start + width * height * 3) });
    at = start + width * height * 3;
  }
  return pictures.length === 0 ? null : pictures;
}

/** Four bytes a dot become three. */
export function withoutAlpha(width: number, height: number, rgba: Uint8Array): Picture {
  const dots = new Uint8Array(width * height * 3);
  for (let from = 0, to = 0; to < dots.length; from += 4) {
    dots[to++] = rgba[from] ?? 0;
    dots[to++] = rgba[from + 1] ?? 0;
    dots[to++] = rgba[from + 2] ?? 0;
  }
  return { width, height, dots };
}
