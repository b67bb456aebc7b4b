import { displaySize, freePlace, toDisplay, toUserSpace } from '@lavra/domain';
import type { PageLayout } from '../../../pdf/page-layout.ts';
import type { BoxPlace, MovableBox } from '../../../pdf/placement.ts';

/** From the page's left edge, and from the top of what is shown of it. Points. */
const INDENT = { u: 40, v: 60 };

/** Until it is first touched a new box stays in sight, near the top of what is shown of its page, upright as the reader sees it, on no other box. */
export function startPlace(size: MovableBox['size'], layout: PageLayout, scrollTop: number, placed: readonly BoxPlace[]): BoxPlace | null {
  const page = layout.pages.find((one) => one.top + one.height - size.height * layout.zoom > scrollTop) ?? layout.pages.at(-1);
  if (!page) return null;
  const room = displaySize(page.geometry);
  const width = Math.min(size.width, room.width);
  const height = Math.min(size.height, room.height);
  const shown = Math.max(0, (scrollTop - page.top) / layout.zoom);
  const taken = placed.filter((one) => one.page === page.number).map(({ rect }) => toDisplay(rect, page.geometry));
  const place = freePlace({ u: INDENT.u, v: shown + INDENT.v, width, height }, taken, page.geometry);
  return { page: page.number, rect: toUserSpace(place, page.geometry) };
}
