import { type ReactNode, type RefObject, useRef } from 'react';
import type { PageLayout } from './page-layout.ts';
import { type MovableBox, pixelsOf } from './placement.ts';
import { type PlacementActs, usePlacement } from './use-placement.ts';

/** A box on the pages; knows nothing of whose it is. */
export interface PlacedBox extends MovableBox {
  /** Said after what the box shows. */
  label: string;
  /** Line and fill colour. */
  color: { line: string; fill: string };
  content: ReactNode;
}

interface PlacementLayerProps extends PlacementActs {
  layout: PageLayout;
  scroller: RefObject<HTMLDivElement | null>;
  boxes: readonly PlacedBox[];
}

/**
 * All boxes in one layer above the pages, so that scrolling a page out of the view never unmounts what is
 * being dragged. Mouse, touch and pen by pointer events; a click on a page places (WCAG 2.5.7); arrows move by
 * one point, with Shift by ten; Page Up and Page Down change the page; Enter fixes; Escape takes back.
 */
export function PlacementLayer({ layout, scroller, boxes, ...acts }: PlacementLayerProps) {
  const layer = useRef<HTMLDivElement>(null);
  const { onPointerDown, onKeyDown, onClick, ...pointer } = usePlacement(layer, scroller, { layout, boxes, ...acts });
  const isPlacing = boxes.some(({ state }) => state === 'placing');
  return (
    <div ref={layer} style={{ position: 'absolute', inset: 0, cursor: isPlacing ? 'crosshair' : 'default' }} onClick={onClick}>
      {boxes.map((box) => {
        const { left, top, width, height } = pixelsOf(box, layout);
        return (
          <button
            key={box.key}
            type="button"
            className={`box box-${box.state}`}
            data-box={box.key}
            style={{ left, top, width, height, ['--box-line' as string]: box.color.line, ['--box-fill' as string]: box.color.fill }}
            {...pointer}
            onPointerDown={(event) => onPointerDown(event, box.key)}
            onKeyDown={(event) => onKeyDown(event, box.key)}
          >
            {box.content}
            <span className="visually-hidden">{box.label}</span>
          </button>
        );
      })}
    </div>
  );
}
