import { limits } from '@lavra/domain';

/** Where a pointer is in a frame, from its edges: -1 … 0 in the zone at the beginning, 0 … 1 in the one at the end. */
export function zoneDepth(at: number, start: number, end: number): number {
  const zone = Math.min(limits.dragAutoScrollZonePx, (end - start) / 3);
  if (at < start + zone) return -Math.min(1, (start + zone - at) / zone);
  if (at > end - zone) return Math.min(1, (at - end + zone) / zone);
  return 0;
}

const FASTEST = 18;

export interface AutoScroll {
  move(point: { clientX: number; clientY: number }): void;
  stop(): void;
}

/**
 * Scrolls while a dragged box is held within 125 px of the frame's or the window's edges. It begins only after
 * the pointer has moved towards that edge, so that what was taken up near an edge stays where it is, and ends
 * when it turns back. `onScroll` hears of every step: under a pointer that rests, the pages move.
 */
export function startAutoScroll(frame: HTMLElement, begin: { clientX: number; clientY: number }, onScroll: () => void): AutoScroll {
  let last = { x: begin.clientX, y: begin.clientY };
  let towards = { x: 0, y: 0 };
  let request = 0;
  const depth = () => {
    const edges = frame.getBoundingClientRect();
    const y = zoneDepth(last.y, Math.max(edges.top, 0), Math.min(edges.bottom, window.innerHeight));
    const x = zoneDepth(last.x, Math.max(edges.left, 0), Math.min(edges.right, window.innerWidth));
    return { x: x * towards.x > 0 ? x : 0, y: y * towards.y > 0 ? y : 0 };
  };
  const step = () => {
    request = 0;
    const { x, y } = depth();
    if (x === 0 && y === 0) return;
    const before = frame.scrollTop;
    frame.scrollBy(x * FASTEST, y * FASTEST);
    // At its end the frame itself may reach out of the window.
    if (frame.scrollTop === before && reachesOut(frame, y)) window.scrollBy(0, y * FASTEST);
    onScroll();
    request = requestAnimationFrame(step);
  };
  return {
    move({ clientX, clientY }) {
      // A trembling hand has no direction.
      if (Math.abs(clientX - last.x) >= 2) towards = { ...towards, x: Math.sign(clientX - last.x) };
      if (Math.abs(clientY - last.y) >= 2) towards = { ...towards, y: Math.sign(clientY - last.y) };
      last = { x: clientX, y: clientY };
      if (request === 0) request = requestAnimationFrame(step);
    },
    stop() {
      cancelAnimationFrame(request);
    },
  };
}

function reachesOut(frame: HTMLElement, direction: number): boolean {
  const edges = frame.getBoundingClientRect();
  return direction > 0 ? edges.bottom > window.innerHeight : edges.top < 0;
}
