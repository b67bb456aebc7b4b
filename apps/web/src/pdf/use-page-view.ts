import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { PageGeometry } from '@lavra/domain';
import { keepInPlace, layOutPages, type PageLayout, widestPage } from './page-layout.ts';

const [SMALLEST, LARGEST, LARGEST_FIT] = [0.25, 4, 2];

interface PageView {
  layout: PageLayout;
  /** What of the list is in the frame; null until it was measured. */
  view: { top: number; left: number; width: number; height: number } | null;
  scale(factor: number): void;
  fit(): void;
}

/** Zoom and scrolling of the page list: fits the width until told otherwise, and keeps what is read in its place when sizes change. */
export function usePageView(scroller: RefObject<HTMLDivElement | null>, geometries: readonly PageGeometry[]): PageView {
  const [chosen, setChosen] = useState<number | 'fit'>('fit');
  const [view, setView] = useState<PageView['view']>(null);
  const fitting = view === null ? 1 : Math.max(SMALLEST / 2, Math.min(LARGEST_FIT, view.width / widestPage(geometries)));
  const zoom = chosen === 'fit' ? fitting : chosen;
  const layout = useMemo(() => layOutPages(geometries, zoom), [geometries, zoom]);

  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const note = () => {
      // Another one on a narrow screen, which a turned tablet becomes.
      const padding = Number.parseFloat(getComputedStyle(element).paddingLeft);
      setView({
        top: element.scrollTop - padding,
        left: element.scrollLeft - padding,
        width: element.clientWidth - 2 * padding - 1,
        height: element.clientHeight,
      });
    };
    note();
    const sizes = new ResizeObserver(note);
    sizes.observe(element);
    element.addEventListener('scroll', note, { passive: true });
    return () => {
      sizes.disconnect();
      element.removeEventListener('scroll', note);
    };
  }, [scroller]);

  const last = useRef<{ layout: PageLayout; view: PageView['view'] }>({ layout, view });
  useLayoutEffect(() => {
    const { layout: before, view: then } = last.current;
    if (before !== layout && then !== null && scroller.current && then.top > 0) {
      const kept = keepInPlace(before, layout, then);
      const padding = Number.parseFloat(getComputedStyle(scroller.current).paddingLeft);
      scroller.current.scrollTo({ top: kept.top + padding, left: kept.left + padding });
    }
    last.current = { layout, view: last.current.view };
  }, [layout, scroller]);
  useEffect(() => {
    last.current.view = view;
  }, [view]);

  return {
    layout,
    view,
    scale: (factor) => setChosen(Math.min(LARGEST, Math.max(SMALLEST, zoom * factor))),
    fit: () => setChosen('fit'),
  };
}
