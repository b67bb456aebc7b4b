/** Coordinates are PDF points in the page's own (unrotated) user space unless a name says `display`. */

/** Lower-left and upper-right corner: [x0, y0, x1, y1], normalised. */
export type Box = readonly [number, number, number, number];

/** (x, y) is the lower-left corner. */
export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Degrees clockwise that a page is turned when it is shown (ISO 32000-2 §7.7.3.3, Rotate). */
export type Rotation = 0 | 90 | 180 | 270;

export function normalizedBox(values: readonly number[]): Box {
  const [a = 0, b = 0, c = 0, d = 0] = values;
  return [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)];
}

/** The part of `box` inside `limits`; `limits` itself when they do not meet (as readers do). */
export function intersectBox(box: Box, limits: Box): Box {
  const x0 = Math.max(box[0], limits[0]);
  const y0 = Math.max(box[1], limits[1]);
  const x1 = Math.min(box[2], limits[2]);
  const y1 = Math.min(box[3], limits[3]);
  return x1 > x0 && y1 > y0 ? [x0, y0, x1, y1] : limits;
}

export function normalizedRotation(value: number): Rotation {
  const turns = ((Math.round(value / 90) % 4) + 4) % 4;
  return ([0, 90, 180, 270] as const)[turns] ?? 0;
}

export function rectToBox(rect: Rect): Box {
  return [rounded(rect.x), rounded(rect.y), rounded(rect.x + rect.width), rounded(rect.y + rect.height)];
}

/** A ten-thousandth of a point: finer than any device, and short enough to be read back as written. */
function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

/** Size of a user-space rectangle as the reader of a turned page sees it. */
export function displayedSize(rect: { width: number; height: number }, rotate: Rotation): { width: number; height: number } {
  return rotate === 90 || rotate === 270 ? { width: rect.height, height: rect.width } : { width: rect.width, height: rect.height };
}

/**
 * Form matrix that makes an appearance drawn upright stand upright on a page turned by `rotate`. Readers fit the
 * transformed BBox into the annotation's Rect (ISO 32000-2 §12.5.5), so only the turn matters, not the offset.
 */
export function uprightMatrix(rotate: Rotation): number[] | null {
  switch (rotate) {
    case 0:
      return null;
    case 90:
      return [0, 1, -1, 0, 0, 0];
    case 180:
      return [-1, 0, 0, -1, 0, 0];
    case 270:
      return [0, -1, 1, 0, 0, 0];
  }
}

/**
 * A rectangle as a reader shows it (`u` to the right, `v` down, from the visible box's top left) in the page's unrotated user
 * space (ISO 32000-2 §8.3.2.3), in points both. `visibleBox` and `rotate` are a page's of `inspectPdf`.
 */
export function displayToUser(
  rect: { u: number; v: number; width: number; height: number },
  page: { visibleBox: Box; rotate: Rotation },
): Rect {
  const [x0, y0, x1, y1] = page.visibleBox;
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

/** User space → display, in points; the inverse of `displayToUser`. */
export function userToDisplay(
  rect: Rect,
  page: { visibleBox: Box; rotate: Rotation },
): { u: number; v: number; width: number; height: number } {
  const [x0, y0, x1, y1] = page.visibleBox;
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
