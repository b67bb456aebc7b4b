import { type RefObject, useEffect, useState } from 'react';

/** The frame over the whole screen. Telephones whose browsers have no such thing for a part of a page get it over the whole page. */
export function useFullScreen(frame: RefObject<HTMLElement | null>): { isFull: boolean; toggle(): void } {
  const [isFull, setFull] = useState(false);
  useEffect(() => {
    const changed = () => setFull(document.fullscreenElement !== null && document.fullscreenElement === frame.current);
    document.addEventListener('fullscreenchange', changed);
    return () => document.removeEventListener('fullscreenchange', changed);
  }, [frame]);
  useEffect(() => {
    if (!isFull) return undefined;
    const leave = (event: KeyboardEvent) => void (event.key === 'Escape' && setFull(false));
    document.addEventListener('keydown', leave);
    return () => document.removeEventListener('keydown', leave);
  }, [isFull]);
  function toggle(): void {
    if (document.fullscreenElement !== null) return void document.exitFullscreen();
    if (isFull) return setFull(false);
    const { current } = frame;
    if (!current) return;
    // Refused or absent: the page has the room that there is.
    if (!document.fullscreenEnabled) return setFull(true);
    current.requestFullscreen().catch(() => setFull(true));
  }
  return { isFull, toggle };
}
