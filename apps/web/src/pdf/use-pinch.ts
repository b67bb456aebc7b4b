import { type RefObject, useEffect, useRef } from 'react';

function distance(touches: TouchList): number {
  const [one, other] = [touches[0], touches[1]];
  return one && other ? Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY) : 0;
}

/** Two fingers change the size of what is read. While they move the drawn pages are stretched; they are drawn anew when they are lifted. */
export function usePinch(scroller: RefObject<HTMLElement | null>, scale: (factor: number) => void): void {
  const latest = useRef(scale);
  useEffect(() => {
    latest.current = scale;
  });
  useEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    let from = 0;
    let factor = 1;
    const pages = () => element.firstElementChild as HTMLElement | null;
    const started = (event: TouchEvent) => {
      if (event.touches.length !== 2) return;
      from = distance(event.touches);
      factor = 1;
    };
    const moved = (event: TouchEvent) => {
      if (from === 0 || event.touches.length !== 2) return;
      event.preventDefault();
      factor = distance(event.touches) / from;
      const list = pages();
      if (!list) return;
      list.style.transformOrigin = `${element.scrollLeft + element.clientWidth / 2}px ${element.scrollTop + element.clientHeight / 2}px`;
      list.style.transform = `scale(${factor})`;
    };
    const ended = (event: TouchEvent) => {
      if (from === 0 || event.touches.length > 1) return;
      from = 0;
      pages()?.style.removeProperty('transform');
      if (factor !== 1) latest.current(factor);
    };
    element.addEventListener('touchstart', started, { passive: true });
    // The browser would enlarge the whole page, bars and all.
    element.addEventListener('touchmove', moved, { passive: false });
    element.addEventListener('touchend', ended);
    element.addEventListener('touchcancel', ended);
    return () => {
      element.removeEventListener('touchstart', started);
      element.removeEventListener('touchmove', moved);
      element.removeEventListener('touchend', ended);
      element.removeEventListener('touchcancel', ended);
    };
  }, [scroller]);
}
