import { type KeyboardEvent, type MouseEvent, type PointerEvent, type RefObject, useEffect, useRef } from 'react';
import { type AutoScroll, startAutoScroll } from './auto-scroll.ts';
import type { PageLayout } from './page-layout.ts';
import { type BoxPlace, type Held, type MovableBox, type PlacementEvent, placementStep } from './placement.ts';

export interface PlacementActs {
  /** The box is under way. `settled` is false while it is being dragged: many times a second. */
  onMove(key: string, place: BoxPlace, settled: boolean): void;
  /** Enter: the box is done. However it was moved there, by the pointer or by keys, it waits for that or for its button. */
  onDone(key: string, place: BoxPlace): void;
  /** Escape on a box that is not done. */
  onCancel(key: string): void;
}

interface Surface extends PlacementActs {
  layout: PageLayout;
  boxes: readonly MovableBox[];
}

/** Hands what happens to `placementStep`, and does what it answers; `send` tells how much that was. */
function usePlacementSteps(surface: Surface) {
  // A drag outlives the drawing in which it began: its scrolling asks for the latest layout and boxes.
  const now = useRef(surface);
  useEffect(() => {
    now.current = surface;
  });
  const held = useRef<Held | null>(null);
  const send = (event: PlacementEvent): number => {
    const { layout, boxes, onMove, onDone, onCancel } = now.current;
    const next = placementStep(held.current, event, layout, boxes);
    held.current = next.held;
    for (const act of next.acts) {
      if (act.do === 'move') onMove(act.key, act.place, act.settled);
      else if (act.do === 'finish') onDone(act.key, act.place);
      else onCancel(act.key);
    }
    return next.acts.length;
  };
  return { held, send };
}

interface Pointer {
  id: number;
  client: { clientX: number; clientY: number };
  scroll: AutoScroll | null;
}

/** Pointer and keys of a layer with boxes. A held box is followed while the pages scroll under it. */
export function usePlacement(layer: RefObject<HTMLElement | null>, scroller: RefObject<HTMLElement | null>, surface: Surface) {
  const steps = usePlacementSteps(surface);
  const pointer = useRef<Pointer | null>(null);
  useEffect(() => () => pointer.current?.scroll?.stop(), []);
  const send = (event: PlacementEvent): number => {
    const acts = steps.send(event);
    if (steps.held.current !== null) return acts;
    pointer.current?.scroll?.stop();
    pointer.current = null;
    return acts;
  };
  const pointOf = ({ clientX, clientY }: { clientX: number; clientY: number }) => {
    const frame = layer.current?.getBoundingClientRect();
    return { point: { x: clientX - (frame?.left ?? 0), y: clientY - (frame?.top ?? 0) }, client: { x: clientX, y: clientY } };
  };
  const follow = () => void (pointer.current && send({ is: 'dragged', ...pointOf(pointer.current.client) }));
  const isHeldBy = (event: PointerEvent) => pointer.current?.id === event.pointerId;
  return {
    onPointerDown(event: PointerEvent<HTMLElement>, key: string): void {
      if (event.button !== 0 || pointer.current) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      const scroll = scroller.current && startAutoScroll(scroller.current, event, follow);
      pointer.current = { id: event.pointerId, client: event, scroll };
      send({ is: 'taken', key, ...pointOf(event) });
    },
    onPointerMove(event: PointerEvent): void {
      if (!pointer.current || !isHeldBy(event)) return;
      pointer.current.client = { clientX: event.clientX, clientY: event.clientY };
      follow();
      if (steps.held.current?.to) pointer.current?.scroll?.move(event);
    },
    onPointerUp: (event: PointerEvent) => void (isHeldBy(event) && send({ is: 'dropped' })),
    onPointerCancel: (event: PointerEvent) => void (isHeldBy(event) && send({ is: 'lost' })),
    onClick(event: MouseEvent): void {
      if (event.target === layer.current) send({ is: 'clicked', ...pointOf(event) });
    },
    onKeyDown(event: KeyboardEvent<HTMLElement>, key: string): void {
      const acts = send({ is: 'pressed', key, name: event.key, shift: event.shiftKey });
      if (acts === 0 && event.key !== 'Escape') return;
      event.preventDefault();
      const element = event.currentTarget;
      if (acts > 0 && event.key !== 'Enter' && event.key !== 'Escape')
        requestAnimationFrame(() => element.scrollIntoView({ block: 'nearest', inline: 'nearest' }));
    },
  };
}
