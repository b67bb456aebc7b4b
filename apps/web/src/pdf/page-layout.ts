import { clampToPage, displaySize, type DisplayRect, type PageGeometry, type Rect, toDisplay, toUserSpace } from '@lavra/domain';

export interface PlacedPage {
  number: number;
  geometry: PageGeometry;
  /** CSS pixels in the page list. */
  top: number;
  left: number;
  width: number;
  height: number;
}

export interface PageLayout {
  pages: PlacedPage[];
  width: number;
  height: number;
  zoom: number;
}

const GAP = 16;

/** Width of the widest page as displayed, in user-space units. */
export function widestPage(geometries: readonly PageGeometry[]): number {
  return geometries.reduce((widest, geometry) => Math.max(widest, displaySize(geometry).width), 1);
}

/** Pages under one another, centred; `zoom` in CSS pixels per user-space unit. */
export function layOutPages(geometries: readonly PageGeometry[], zoom: number): PageLayout {
  const width = widestPage(geometries) * zoom;
  let top = 0;
  const pages = geometries.map((geometry, index) => {
    const size = displaySize(geometry);
    const placed = {
      number: index + 1,
      geometry,
      top,
      left: (width - size.width * zoom) / 2,
      width: size.width * zoom,
      height: size.height * zoom,
    };
    top += placed.height + GAP;
    return placed;
  });
  return { pages, width, height: Math.max(0, top - GAP), zoom };
}

/** The page at a height of the list, or the nearest one. */
export function pageAt(layout: PageLayout, y: number): PlacedPage | undefined {
  return layout.pages.find((page) => y < page.top + page.height + GAP / 2) ?? layout.pages.at(-1);
}

/** Every page of which something is in view, and its neighbours while there are fewer than three. */
export function pagesInView(layout: PageLayout, top: number, height: number): PlacedPage[] {
  const first = pageAt(layout, top);
  if (!first) return [];
  let from = first.number;
  let to = from;
  while (to < layout.pages.length && (layout.pages[to]?.top ?? 0) < top + height) to += 1;
  // Reading goes downwards: the next page is drawn ahead before the last one is kept.
  if (to - from < 2 && to < layout.pages.length) to += 1;
  if (to - from < 2 && from > 1) from -= 1;
  return layout.pages.slice(from - 1, to);
}

/** How far to scroll in `after` so that what stood in the middle of the view in `before` stands there still. */
export function keepInPlace(
  before: PageLayout,
  after: PageLayout,
  view: { left: number; top: number; width: number; height: number },
): { left: number; top: number } {
  const middle = view.top + view.height / 2;
  const page = pageAt(before, middle);
  const moved = page && after.pages[page.number - 1];
  if (!page || !moved) return { left: view.left, top: view.top };
  const part = (middle - page.top) / page.height;
  const across = (view.left + view.width / 2) / Math.max(before.width, view.width);
  return { top: moved.top + part * moved.height - view.height / 2, left: across * Math.max(after.width, view.width) - view.width / 2 };
}

/** A rectangle of a page's user space in the page list's pixels. */
export function toPixels(rect: Rect, page: PlacedPage, zoom: number): { left: number; top: number; width: number; height: number } {
  const display = toDisplay(rect, page.geometry);
  return {
    left: page.left + display.u * zoom,
    top: page.top + display.v * zoom,
    width: display.width * zoom,
    height: display.height * zoom,
  };
}

/** The rectangle of `size` (points, as displayed) whose top left corner is at a pixel of the page list, moved inside the page. */
export function fromPixels(
  corner: { left: number; top: number },
  size: Pick<DisplayRect, 'width' | 'height'>,
  page: PlacedPage,
  zoom: number,
): Rect {
  const wanted = { u: (corner.left - page.left) / zoom, v: (corner.top - page.top) / zoom, width: size.width, height: size.height };
  return toUserSpace(clampToPage(wanted, page.geometry), page.geometry);
}
