import { type Rect, toDisplay } from '@lavra/domain';
import { type KeyboardEvent, type MouseEvent, type PointerEvent, type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { type AutoScroll, startAutoScroll } from './auto-scroll.ts';
import { fromPixels, type PageLayout, pageAt, type PlacedPage, toPixels } from './page-layout.ts';

/** Where a box stands: one-based page and its user space, points. */
export interface BoxPlace {
  page: number;
  rect: Rect;
}

/** A box on the pages; knows nothing of whose it is. */
export interface PlacedBox extends BoxPlace {
  key: string;
  /** Said after what the box shows. */
  label: string;
  /** Line and fill colour. */
  color: { line: string; fill: string };
  state: 'placing' | 'ready';
  content: ReactNode;
}

interface PlacementLayerProps {
  layout: PageLayout;
  scroller: RefObject<HTMLDivElement | null>;
  boxes: readonly PlacedBox[];
  /** The box is under way. `settled` is false while it is being dragged: many times a second. */
  onMove(key: string, place: BoxPlace, settled: boolean): void;
  /** A drag has ended, or Enter was pressed: the box is done. */
  onDone(key: string, place: BoxPlace, by: 'pointer' | 'keyboard'): void;
  /** Escape on a box that is not done. */
  onCancel(key: string): void;
}

interface Drag {
  key: string;
  pointerId: number;
  /** From the box's corner to the pointer, pixels. */
  grip: { x: number; y: number };
  pointer: { clientX: number; clientY: number };
  from: BoxPlace;
  to: BoxPlace | null;
  scroll: AutoScroll | null;
}

/**
 * All boxes in one layer above the pages, so that scrolling a page out of the view never unmounts what is
 * being dragged. Mouse, touch and pen by pointer events; a click on a page places (WCAG 2.5.7); arrows move by
 * one point, with Shift by ten; Page Up and Page Down change the page; Enter fixes; Escape takes back.
 */
export function PlacementLayer({ layout, scroller, boxes, onMove, onDone, onCancel }: PlacementLayerProps) {
  const layer = useRef<HTMLDivElement>(null);
  const drag = useRef<Drag | null>(null);
  // A drag outlives the drawing in which it began: its scrolling asks for the latest layout and boxes.
  const now = useRef({ layout, boxes, onMove });
  useEffect(() => {
    now.current = { layout, boxes, onMove };
  });
  useEffect(() => () => drag.current?.scroll?.stop(), []);
  const active = boxes.find((box) => box.state === 'placing');

  const pointOf = (event: { clientX: number; clientY: number }) => {
    const frame = layer.current?.getBoundingClientRect();
    return { x: event.clientX - (frame?.left ?? 0), y: event.clientY - (frame?.top ?? 0) };
  };
  /** The page is the one under the pointer, however far the box hangs over its edge. */
  const follow = () => {
    const held = drag.current;
    const box = now.current.boxes.find(({ key }) => key === held?.key);
    if (!held || !box) return;
    const point = pointOf(held.pointer);
    const page = pageAt(now.current.layout, point.y);
    if (!page) return;
    held.to = {
      page: page.number,
      rect: fromPixels(
        { left: point.x - held.grip.x, top: point.y - held.grip.y },
        shownSize(box, now.current.layout),
        page,
        now.current.layout.zoom,
      ),
    };
    now.current.onMove(box.key, held.to, false);
  };
  const onPointerDown = (event: PointerEvent<HTMLButtonElement>, box: PlacedBox) => {
    if (event.button !== 0 || drag.current) return;
    const { left, top } = pixelsOf(box, layout);
    const point = pointOf(event);
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = {
      key: box.key,
      pointerId: event.pointerId,
      grip: { x: point.x - left, y: point.y - top },
      pointer: event,
      from: { page: box.page, rect: box.rect },
      to: null,
      scroll: scroller.current && startAutoScroll(scroller.current, event, follow),
    };
  };
  const onPointerMove = (event: PointerEvent) => {
    const held = drag.current;
    if (held?.pointerId !== event.pointerId) return;
    // A press that trembles is not a drag.
    if (held.to === null && Math.hypot(event.clientX - held.pointer.clientX, event.clientY - held.pointer.clientY) < 3) return;
    held.pointer = { clientX: event.clientX, clientY: event.clientY };
    held.scroll?.move(event);
    follow();
  };
  const endDrag = (): Drag | null => {
    const held = drag.current;
    held?.scroll?.stop();
    drag.current = null;
    return held;
  };
  const onPointerUp = (event: PointerEvent) => {
    if (drag.current?.pointerId !== event.pointerId) return;
    const held = endDrag();
    if (held?.to) onDone(held.key, held.to, 'pointer');
  };
  const takeBack = () => {
    const held = endDrag();
    if (held?.to) onMove(held.key, held.from, true);
    return held !== null;
  };
  const placeByClick = (event: MouseEvent) => {
    if (event.target !== layer.current || !active) return;
    const point = pointOf(event);
    const page = pageAt(layout, point.y);
    if (!page) return;
    const size = shownSize(active, layout);
    const corner = { left: point.x - (size.width * layout.zoom) / 2, top: point.y - (size.height * layout.zoom) / 2 };
    onMove(active.key, { page: page.number, rect: fromPixels(corner, size, page, layout.zoom) }, true);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>, box: PlacedBox) => {
    const place = { page: box.page, rect: box.rect };
    const moved = keyMove(event, box, layout);
    if (event.key === 'Enter') onDone(box.key, place, 'keyboard');
    else if (event.key === 'Escape') {
      if (!takeBack() && box.state === 'placing') onCancel(box.key);
    } else if (moved) onMove(box.key, moved, true);
    else return;
    event.preventDefault();
    const element = event.currentTarget;
    if (moved) requestAnimationFrame(() => element.scrollIntoView({ block: 'nearest', inline: 'nearest' }));
  };
  return (
    <div ref={layer} style={{ position: 'absolute', inset: 0, cursor: active ? 'crosshair' : 'default' }} onClick={placeByClick}>
      {boxes.map((box) => {
        const { left, top, width, height } = pixelsOf(box, layout);
        return (
          <button
            key={box.key}
            type="button"
            className={`box box-${box.state}`}
            data-box={box.key}
            style={{ left, top, width, height, ['--box-line' as string]: box.color.line, ['--box-fill' as string]: box.color.fill }}
            onPointerDown={(event) => onPointerDown(event, box)}
            onPointerMove={onPointerMove}
            onPointerUp={onPointerUp}
            onPointerCancel={takeBack}
            onKeyDown={(event) => onKeyDown(event, box)}
          >
            {box.content}
            <span className="visually-hidden">{box.label}</span>
          </button>
        );
      })}
    </div>
  );
}

/** Where a key takes the box; null for keys that move nothing. */
function keyMove(event: { key: string; shiftKey: boolean }, box: PlacedBox, layout: PageLayout): BoxPlace | null {
  const step = (event.shiftKey ? 10 : 1) * layout.zoom;
  const steps: Record<string, [number, number]> = {
    ArrowLeft: [-step, 0],
    ArrowRight: [step, 0],
    ArrowUp: [0, -step],
    ArrowDown: [0, step],
  };
  const pages: Record<string, number> = { PageUp: -1, PageDown: 1 };
  const here = pageOf(box, layout);
  const { left, top } = pixelsOf(box, layout);
  const size = shownSize(box, layout);
  const shift = steps[event.key];
  if (shift) return { page: here.number, rect: fromPixels({ left: left + shift[0], top: top + shift[1] }, size, here, layout.zoom) };
  const there = layout.pages[here.number - 1 + (pages[event.key] ?? 0)];
  if (!there || there === here) return null;
  return {
    page: there.number,
    rect: fromPixels({ left: left - here.left + there.left, top: top - here.top + there.top }, size, there, layout.zoom),
  };
}

function pageOf(place: BoxPlace, layout: PageLayout): PlacedPage {
  const page = layout.pages[place.page - 1] ?? layout.pages[0];
  if (!page) throw new Error('a document without pages');
  return page;
}

/** As the reader sees it: width and height change places on a page that is turned. */
function shownSize(box: BoxPlace, layout: PageLayout): { width: number; height: number } {
  return toDisplay(box.rect, pageOf(box, layout).geometry);
}

function pixelsOf(box: BoxPlace, layout: PageLayout): { left: number; top: number; width: number; height: number } {
  return toPixels(box.rect, pageOf(box, layout), layout.zoom);
}
