import { clampToPage, type DisplayRect, limits, type Rect, toDisplay, toUserSpace } from '@lavra/domain';
import { type KeyboardEvent, type PointerEvent, type ReactNode, type RefObject, useRef } from 'react';
import { type PageLayout, pageAt, type PlacedPage } from './page-layout.ts';

/** A box on the pages; knows nothing of whose it is. */
export interface PlacedBox {
  key: string;
  /** Said after what the box shows. */
  label: string;
  /** Line and fill colour. */
  color: { line: string; fill: string };
  state: 'placing' | 'ready';
  page: number;
  /** User space of its page, points. */
  rect: Rect;
  content: ReactNode;
}

interface PlacementLayerProps {
  layout: PageLayout;
  scroller: RefObject<HTMLDivElement | null>;
  boxes: readonly PlacedBox[];
  onMove(key: string, page: number, rect: Rect): void;
  /** The drag has ended or Enter was pressed: the box is done. */
  onDone(key: string): void;
  onReopen(key: string): void;
}

/**
 * All boxes in one layer above the pages, so that scrolling a page out of the view never unmounts what is
 * being dragged. Mouse, touch and pen by pointer events; a click on a page places (WCAG 2.5.7); arrows move by
 * one point, with Shift by ten; Page Up and Page Down change the page; Enter fixes.
 */
export function PlacementLayer({ layout, scroller, boxes, onMove, onDone, onReopen }: PlacementLayerProps) {
  const layer = useRef<HTMLDivElement>(null);
  const drag = useRef<{ key: string; dx: number; dy: number; moved: boolean; lastY: number } | null>(null);
  const active = boxes.find((box) => box.state === 'placing');

  const moveTo = (box: PlacedBox, left: number, top: number) => {
    const page = pageAt(layout, top + 1);
    if (!page) return;
    const size = displayOf(box, layout);
    const wanted: DisplayRect = { u: (left - page.left) / layout.zoom, v: (top - page.top) / layout.zoom, width: size.width, height: size.height };
    onMove(box.key, page.number, toUserSpace(clampToPage(wanted, page.geometry), page.geometry));
  };
  const pointOf = (event: { clientX: number; clientY: number }) => {
    const frame = layer.current?.getBoundingClientRect();
    return { x: event.clientX - (frame?.left ?? 0), y: event.clientY - (frame?.top ?? 0) };
  };
  const onPointerDown = (event: PointerEvent<HTMLButtonElement>, box: PlacedBox) => {
    if (event.button !== 0) return;
    const { left, top } = pixelsOf(box, layout);
    const point = pointOf(event);
    drag.current = { key: box.key, dx: point.x - left, dy: point.y - top, moved: false, lastY: event.clientY };
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const onPointerMove = (event: PointerEvent<HTMLButtonElement>, box: PlacedBox) => {
    const held = drag.current;
    if (held?.key !== box.key) return;
    autoScroll(scroller.current, event.clientY, event.clientY - held.lastY);
    held.moved = true;
    held.lastY = event.clientY;
    if (box.state === 'ready') onReopen(box.key);
    const point = pointOf(event);
    moveTo(box, point.x - held.dx, point.y - held.dy);
  };
  const onPointerUp = (box: PlacedBox) => {
    if (drag.current?.key === box.key && drag.current.moved) onDone(box.key);
    drag.current = null;
  };
  const placeByClick = (event: PointerEvent<HTMLDivElement>) => {
    if (event.target !== layer.current || !active) return;
    const point = pointOf(event);
    const size = displayOf(active, layout);
    moveTo(active, point.x - (size.width * layout.zoom) / 2, point.y - (size.height * layout.zoom) / 2);
  };
  const onKeyDown = (event: KeyboardEvent, box: PlacedBox) => {
    const step = event.shiftKey ? 10 : 1;
    const { left, top } = pixelsOf(box, layout);
    const by: Record<string, [number, number]> = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] };
    const shift = by[event.key];
    const otherPage = event.key === 'PageDown' ? 1 : event.key === 'PageUp' ? -1 : 0;
    if (event.key === 'Enter') onDone(box.key);
    else if (otherPage !== 0) changePage(box, otherPage);
    else if (shift) {
      const page = layout.pages[box.page - 1];
      if (!page) return;
      const before = displayOf(box, layout);
      const wanted = { ...before, u: (left - page.left) / layout.zoom + shift[0], v: (top - page.top) / layout.zoom + shift[1] };
      onMove(box.key, box.page, toUserSpace(clampToPage(wanted, page.geometry), page.geometry));
    } else return;
    event.preventDefault();
  };
  const changePage = (box: PlacedBox, by: number) => {
    const page = layout.pages[box.page - 1 + by];
    if (!page) return;
    onMove(box.key, page.number, toUserSpace(clampToPage(displayOf(box, layout), page.geometry), page.geometry));
    scroller.current?.scrollTo({ top: page.top });
  };
  return (
    <div ref={layer} style={{ position: 'absolute', inset: 0, cursor: active ? 'crosshair' : 'default' }} onPointerUp={placeByClick}>
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
            onPointerMove={(event) => onPointerMove(event, box)}
            onPointerUp={() => onPointerUp(box)}
            onPointerCancel={() => onPointerUp(box)}
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

function pageOf(box: PlacedBox, layout: PageLayout): PlacedPage {
  const page = layout.pages[box.page - 1] ?? layout.pages[0];
  if (!page) throw new Error('a document without pages');
  return page;
}

function displayOf(box: PlacedBox, layout: PageLayout): DisplayRect {
  return toDisplay(box.rect, pageOf(box, layout).geometry);
}

/** The box in the page list's pixels. */
function pixelsOf(box: PlacedBox, layout: PageLayout): { left: number; top: number; width: number; height: number } {
  const page = pageOf(box, layout);
  const display = displayOf(box, layout);
  return { left: page.left + display.u * layout.zoom, top: page.top + display.v * layout.zoom, width: display.width * layout.zoom, height: display.height * layout.zoom };
}

/** Scrolls within 125 px of the edges, and only while the pointer moves towards that edge: a box that starts there stays. */
function autoScroll(element: HTMLElement | null, y: number, movedBy: number): void {
  if (!element) return;
  const frame = element.getBoundingClientRect();
  const top = Math.max(frame.top, 0);
  const bottom = Math.min(frame.bottom, window.innerHeight);
  const zone = Math.min(limits.dragAutoScrollZonePx, (bottom - top) / 3);
  if (movedBy > 0 && y > bottom - zone) element.scrollBy(0, 14);
  if (movedBy < 0 && y < top + zone) element.scrollBy(0, -14);
}
