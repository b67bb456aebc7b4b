import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { pageAt, type PageLayout } from './page-layout.ts';

/** CSS pixels per point at which 10 pt print stands in 12.5 pixels. */
const READING_ZOOM = 1.25;
/** A product of quotients may fall short by a hair. */
export const isReadable = (zoom: number): boolean => zoom > READING_ZOOM - 0.01;
const TAPS_WITHIN_MS = 400;
const TAPS_WITHIN_PX = 32;

interface ZoomedView {
  layout: PageLayout;
  scale(factor: number): void;
  fit(): void;
}

/** Two taps of a finger enlarge a page to where print can be read, around what was tapped; two more show its whole width. */
export function useDoubleTap(scroller: RefObject<HTMLElement | null>, isOn: boolean, { layout, scale, fit }: ZoomedView): void {
  const latest = useRef<ZoomedView>({ layout, scale, fit });
  /** What was tapped, until the enlarged pages stand: a page, and the part of its width and height. */
  const aim = useRef<{ number: number; across: number; down: number } | null>(null);
  useLayoutEffect(() => {
    latest.current = { layout, scale, fit };
    const page = aim.current && layout.pages[aim.current.number - 1];
    if (!aim.current || !page) return;
    scroller.current?.scrollTo({
      left: page.left + aim.current.across * page.width - scroller.current.clientWidth / 2,
      top: page.top + aim.current.down * page.height - scroller.current.clientHeight / 2,
    });
    aim.current = null;
  });
  useEffect(() => {
    const element = scroller.current;
    if (!element || !isOn) return undefined;
    let last = { at: -Infinity, x: 0, y: 0 };
    // A finger that scrolls ends with pointercancel, and the second one of two is not the primary.
    const lifted = (event: PointerEvent) => {
      if (event.pointerType !== 'touch' || !event.isPrimary) return;
      const tap = { at: event.timeStamp, x: event.clientX, y: event.clientY };
      const isSecond = tap.at - last.at < TAPS_WITHIN_MS && Math.hypot(tap.x - last.x, tap.y - last.y) < TAPS_WITHIN_PX;
      last = isSecond ? { at: -Infinity, x: 0, y: 0 } : tap;
      if (!isSecond) return;
      const { layout: now, scale: enlarge, fit: showAll } = latest.current;
      if (isReadable(now.zoom)) return showAll();
      const list = element.firstElementChild?.getBoundingClientRect();
      const page = list && pageAt(now, tap.y - list.top);
      if (!page) return;
      aim.current = {
        number: page.number,
        across: (tap.x - list.left - page.left) / page.width,
        down: (tap.y - list.top - page.top) / page.height,
      };
      enlarge(READING_ZOOM / now.zoom);
    };
    element.addEventListener('pointerup', lifted);
    return () => element.removeEventListener('pointerup', lifted);
  }, [scroller, isOn]);
}
