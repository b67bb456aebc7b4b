import { type RefObject, useEffect, useRef } from 'react';

/** Of what tells a fault: brought into view as soon as there is one, and for each that is another. */
export function useInView<E extends Element>(fault: unknown): RefObject<E | null> {
  const element = useRef<E>(null);
  useEffect(() => {
    if (fault !== undefined && fault !== null && !isLedElsewhere(element.current))
      void element.current?.scrollIntoView({ block: 'nearest' });
  }, [fault]);
  return element;
}

/** The keys were taken to a field, which is what is to be seen then. */
function isLedElsewhere(told: Element | null): boolean {
  const held = document.activeElement;
  return held !== null && held.matches('input, select, textarea') && told?.contains(held) !== true;
}
