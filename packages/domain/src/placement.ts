/**
 * Signature boxes: geometry and the placement machine of section 4 (Iniciar → Fixar → Iniciar próxima → Pronto).
 *
 * Two coordinate systems, both in PDF points:
 * - user space: the page's own, origin and axes of the PDF (y up, unrotated, MediaBox/CropBox coordinates).
 *   A `Placement` is stored in it: (x, y) is the lower-left corner of the box.
 * - display space: what a reader shows: the visible box (CropBox ∩ MediaBox) turned by /Rotate;
 *   (u, v) from its top-left corner, u right, v down. UserUnit scales neither: a point is a user-space unit.
 */
export interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface DisplayRect {
  u: number;
  v: number;
  width: number;
  height: number;
}

/** A page as inspected at upload: visible box [x0, y0, x1, y1] normalised, rotation 0/90/180/270 clockwise, UserUnit. */
export interface PageGeometry {
  box: readonly [number, number, number, number];
  rotate: 0 | 90 | 180 | 270;
  userUnit: number;
}

export interface Placement extends Rect {
  documentId: string;
  /** One-based page number. */
  page: number;
  /** True for the one box per document that carries the signature itself; the others repeat its appearance. */
  realSignature: boolean;
}

/** Size of the page as displayed, in user-space units. */
export function displaySize(page: PageGeometry): { width: number; height: number } {
  const [x0, y0, x1, y1] = page.box;
  const turned = page.rotate === 90 || page.rotate === 270;
  return turned ? { width: y1 - y0, height: x1 - x0 } : { width: x1 - x0, height: y1 - y0 };
}

/** Display rectangle → user-space rectangle. Exact inverse of `toDisplay`. */
export function toUserSpace(rect: DisplayRect, page: PageGeometry): Rect {
  const [x0, y0, x1, y1] = page.box;
  const { u, v, width, height } = rect;
  switch (page.rotate) {
    case 0:
      return { x: x0 + u, y: y1 - v - height, width, height };
    case 90:
      return { x: x0 + v, y: y0 + u, width: height, height: width };
    case 180:
      return { x: x1 - u - width, y: y0 + v, width, height };
    case 270:
      return { x: x1 - v - height, y: y1 - u - width, width: height, height: width };
  }
}

/** User-space rectangle → display rectangle. */
export function toDisplay(rect: Rect, page: PageGeometry): DisplayRect {
  const [x0, y0, x1, y1] = page.box;
  const { x, y, width, height } = rect;
  switch (page.rotate) {
    case 0:
      return { u: x - x0, v: y1 - y - height, width, height };
    case 90:
      return { u: y - y0, v: x - x0, width: height, height: width };
    case 180:
      return { u: x1 - x - width, v: y - y0, width, height };
    case 270:
      return { u: y1 - y - height, v: x1 - x - width, width: height, height: width };
  }
}

/** Moves a display rectangle inside the page (shrinking it only when it is larger than the page). */
export function clampToPage(rect: DisplayRect, page: PageGeometry): DisplayRect {
  const size = displaySize(page);
  const width = Math.min(rect.width, size.width);
  const height = Math.min(rect.height, size.height);
  return {
    u: Math.min(Math.max(rect.u, 0), size.width - width),
    v: Math.min(Math.max(rect.v, 0), size.height - height),
    width,
    height,
  };
}

/**
 * The wanted place, kept on the page, or where others lie there the nearest free one: to the right, then down, then from the top.
 * Where the page is full, the wanted place again.
 */
export function freePlace(wanted: DisplayRect, taken: readonly DisplayRect[], page: PageGeometry): DisplayRect {
  const size = displaySize(page);
  const kept = clampToPage(wanted, page);
  const isFree = (one: DisplayRect) =>
    taken.every(
      (other) =>
        one.u >= other.u + other.width || other.u >= one.u + one.width || one.v >= other.v + other.height || other.v >= one.v + one.height,
    );
  const rows = steps(kept.v, size.height - kept.height, kept.height + GAP);
  const columns = steps(kept.u, size.width - kept.width, kept.width + GAP);
  for (const v of rows) {
    for (const u of columns) {
      const place = { ...kept, u, v };
      if (isFree(place)) return place;
    }
  }
  return kept;
}

/** Points between boxes that stand side by side. */
const GAP = 10;

/** From `first` on to `last`, and then those before it. */
function steps(first: number, last: number, step: number): number[] {
  const after = Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, index) => first + index * step);
  const before = Array.from({ length: Math.floor(first / step) }, (_, index) => first - (index + 1) * step);
  return [...after, ...before];
}

/** True when the user-space rectangle lies within the visible page, with `tolerance` points of slack for rounding. */
export function isOnPage(rect: Rect, page: PageGeometry, tolerance = 0.5): boolean {
  const [x0, y0, x1, y1] = page.box;
  return (
    rect.width > 0 &&
    rect.height > 0 &&
    rect.x >= x0 - tolerance &&
    rect.y >= y0 - tolerance &&
    rect.x + rect.width <= x1 + tolerance &&
    rect.y + rect.height <= y1 + tolerance
  );
}

export type BoxState = 'idle' | 'placing' | 'ready';

/** What the signer's position button says: Iniciar, Fixar, Iniciar próxima or Pronto (section 4). */
export function positionButton(states: readonly BoxState[]): 'start' | 'fix' | 'startNext' | 'ready' {
  if (states.includes('placing')) return 'fix';
  if (states.every((state) => state === 'ready')) return 'ready';
  return states.includes('ready') ? 'startNext' : 'start';
}

/** Presses the position button: the next states of this signer's boxes. Pressing when all are ready resets them. */
export function pressPositionButton(states: readonly BoxState[]): BoxState[] {
  switch (positionButton(states)) {
    case 'fix':
      return states.map((state) => (state === 'placing' ? 'ready' : state));
    case 'ready':
      return states.map(() => 'idle');
    default: {
      const next = states.indexOf('idle');
      return states.map((state, index) => (index === next ? 'placing' : state));
    }
  }
}
