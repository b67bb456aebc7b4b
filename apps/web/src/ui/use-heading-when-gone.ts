import { useEffect } from 'react';

/**
 * A part that goes away with what had the focus, by its own act, leaves the focus to a heading: keys and screen readers go on from there
 * instead of from the beginning. `id`: of a heading with `tabIndex={-1}`; the page's own unless told.
 */
export function useHeadingWhenGone(id?: string): void {
  useEffect(
    () => () => {
      if (document.activeElement !== null && document.activeElement !== document.body) return;
      const heading = id === undefined ? document.querySelector<HTMLElement>('#content h1') : document.getElementById(id);
      heading?.focus({ preventScroll: true });
    },
    [id],
  );
}
