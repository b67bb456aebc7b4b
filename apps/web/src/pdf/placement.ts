import { clampToPage, type Rect, toDisplay, toUserSpace } from '@lavra/domain';
import { fromPixels, type PageLayout, pageAt, type PlacedPage, toPixels } from './page-layout.ts';

/** Where a box stands: one-based page and its user space, points. */
export interface BoxPlace {
  page: number;
  rect: Rect;
}

/** A box as it is moved. */
export interface MovableBox extends BoxPlace {
  key: string;
  state: 'placing' | 'ready';
  /** Points, as the reader sees it: what it takes on every page that is large enough. */
  size: { width: number; height: number };
}

interface Point {
  x: number;
  y: number;
}

/** A box under the pointer. */
export interface Held {
  readonly key: string;
  /** From the box's corner to the pointer, pixels. */
  readonly grip: Point;
  /** Where the pointer took it, in the window. */
  readonly client: Point;
  readonly from: BoxPlace;
  /** Null until the pointer has really moved. */
  readonly to: BoxPlace | null;
}

/** `point`: pixels of the page list, which scrolling moves under a pointer that rests; `client`: of the window. */
export type PlacementEvent =
  | { is: 'taken'; key: string; point: Point; client: Point }
  | { is: 'dragged'; point: Point; client: Point }
  | { is: 'dropped' }
  /** The browser took the pointer away. */
  | { is: 'lost' }
  | { is: 'clicked'; point: Point }
  | { is: 'pressed'; key: string; name: string; shift: boolean };

export type PlacementAct =
  /** `settled` is false while it is being dragged: many times a second. */
  | { do: 'move'; key: string; place: BoxPlace; settled: boolean }
  | { do: 'finish'; key: string; place: BoxPlace }
  | { do: 'cancel'; key: string };

export interface PlacementStep {
  held: Held | null;
  acts: readonly PlacementAct[];
}

/** A press that trembles is not a drag. Pixels. */
const TREMBLE = 3;

/** What a pointer or a key makes of the boxes: a drag, a click on a page, arrows by one point or ten, another page, done, taken back. */
export function placementStep(held: Held | null, event: PlacementEvent, layout: PageLayout, boxes: readonly MovableBox[]): PlacementStep {
  const boxOf = (key: string | undefined) => boxes.find((box) => box.key === key);
  switch (event.is) {
    case 'taken': {
      const box = boxOf(event.key);
      return { held: held ?? (box ? take(box, event, layout) : null), acts: [] };
    }
    case 'dragged': {
      const box = boxOf(held?.key);
      return held && box ? drag(held, box, event, layout) : { held, acts: [] };
    }
    case 'dropped':
      return { held: null, acts: held?.to ? [{ do: 'move', key: held.key, place: held.to, settled: true }] : [] };
    case 'lost':
      return { held: null, acts: takeBack(held) };
    case 'clicked': {
      const box = boxes.find(({ state }) => state === 'placing');
      const place = box && centredAt(event.point, box, layout);
      return { held, acts: place ? [{ do: 'move', key: box.key, place, settled: true }] : [] };
    }
    case 'pressed': {
      const box = boxOf(event.key);
      return box ? press(held, box, event, layout) : { held, acts: [] };
    }
  }
}

function take(box: MovableBox, { point, client }: { point: Point; client: Point }, layout: PageLayout): Held {
  const { left, top } = pixelsOf(box, layout);
  const from = { page: box.page, rect: box.rect };
  return { key: box.key, grip: { x: point.x - left, y: point.y - top }, client, from, to: null };
}

/** The page is the one under the pointer, however far the box hangs over its edge. */
function drag(held: Held, box: MovableBox, { point, client }: { point: Point; client: Point }, layout: PageLayout): PlacementStep {
  const far = Math.hypot(client.x - held.client.x, client.y - held.client.y);
  const page = pageAt(layout, point.y);
  if (!page || (held.to === null && far < TREMBLE)) return { held, acts: [] };
  const corner = { left: point.x - held.grip.x, top: point.y - held.grip.y };
  const place = { page: page.number, rect: fromPixels(corner, box.size, page, layout.zoom) };
  return { held: { ...held, to: place }, acts: [{ do: 'move', key: box.key, place, settled: false }] };
}

function takeBack(held: Held | null): PlacementAct[] {
  return held?.to ? [{ do: 'move', key: held.key, place: held.from, settled: true }] : [];
}

function centredAt(point: Point, { size }: MovableBox, layout: PageLayout): BoxPlace | null {
  const page = pageAt(layout, point.y);
  if (!page) return null;
  const corner = { left: point.x - (size.width * layout.zoom) / 2, top: point.y - (size.height * layout.zoom) / 2 };
  return { page: page.number, rect: fromPixels(corner, size, page, layout.zoom) };
}

function press(held: Held | null, box: MovableBox, { name, shift }: { name: string; shift: boolean }, layout: PageLayout): PlacementStep {
  const place = { page: box.page, rect: box.rect };
  if (name === 'Enter') return { held, acts: [{ do: 'finish', key: box.key, place }] };
  if (name === 'Escape') {
    if (held) return { held: null, acts: takeBack(held) };
    return { held, acts: box.state === 'placing' ? [{ do: 'cancel', key: box.key }] : [] };
  }
  const moved = keyMove(name, shift ? 10 : 1, box, layout);
  return { held, acts: moved ? [{ do: 'move', key: box.key, place: moved, settled: true }] : [] };
}

/** Where a key takes the box, in points as the reader sees them; null for keys that move nothing. */
function keyMove(name: string, step: number, box: MovableBox, layout: PageLayout): BoxPlace | null {
  const arrows: Record<string, readonly [number, number]> = {
    ArrowLeft: [-step, 0],
    ArrowRight: [step, 0],
    ArrowUp: [0, -step],
    ArrowDown: [0, step],
  };
  const pages: Record<string, number> = { PageUp: -1, PageDown: 1 };
  const here = pageOf(box, layout);
  const { u, v } = toDisplay(box.rect, here.geometry);
  const arrow = arrows[name];
  if (arrow) return standAt({ u: u + arrow[0], v: v + arrow[1] }, box, here);
  const there = layout.pages[here.number - 1 + (pages[name] ?? 0)];
  return there && there !== here ? standAt({ u, v }, box, there) : null;
}

function standAt(corner: { u: number; v: number }, { size }: MovableBox, page: PlacedPage): BoxPlace {
  return { page: page.number, rect: toUserSpace(clampToPage({ ...corner, ...size }, page.geometry), page.geometry) };
}

function pageOf(place: BoxPlace, layout: PageLayout): PlacedPage {
  const page = layout.pages[place.page - 1] ?? layout.pages[0];
  if (!page) throw new Error('a document without pages');
  return page;
}

/** Where a box is drawn in the page list. */
export function pixelsOf(place: BoxPlace, layout: PageLayout): { left: number; top: number; width: number; height: number } {
  return toPixels(place.rect, pageOf(place, layout), layout.zoom);
}
