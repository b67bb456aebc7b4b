import { type RefObject, useEffect, useRef } from 'react';

/** Of what tells a fault: brought into view as soon as there is one, and for each that is another. */
export function useInView<E extends Element>(fault: unknown): RefObject<E | null> {
  const element = useRef<E>(null);
  useEffect(() => {
    if (fault !== undefined && fault !== null) void element.current?.scrollIntoView({ block: 'nearest' });
  }, [fault]);
  return element;
}
