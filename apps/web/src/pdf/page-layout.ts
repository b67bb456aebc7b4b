import { displaySize, type PageGeometry } from '@lavra/domain';

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

/** Pages under one another, centred; `zoom` in CSS pixels per user-space unit. */
export function layOutPages(geometries: readonly PageGeometry[], zoom: number): PageLayout {
  const sizes = geometries.map((geometry) => displaySize(geometry));
  const width = Math.max(...sizes.map((size) => size.width)) * zoom;
  let top = 0;
  const pages = geometries.map((geometry, index) => {
    const size = sizes[index] ?? { width: 0, height: 0 };
    const placed = { number: index + 1, geometry, top, left: (width - size.width * zoom) / 2, width: size.width * zoom, height: size.height * zoom };
    top += placed.height + GAP;
    return placed;
  });
  return { pages, width, height: top - GAP, zoom };
}

/** The page at a height of the list, or the nearest one. */
export function pageAt(layout: PageLayout, y: number): PlacedPage | undefined {
  return layout.pages.find((page) => y < page.top + page.height + GAP / 2) ?? layout.pages.at(-1);
}
