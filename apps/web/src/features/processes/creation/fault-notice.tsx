import { useEffect, useRef } from 'react';
import { Notice } from '../../../shell/page.tsx';

/** A warning that belongs to a part of the form rather than to one field; the first error takes the focus, and it may be this one. */
export function FaultNotice({ text }: { text: string | undefined }) {
  if (!text) return null;
  return (
    <div tabIndex={-1} data-fault>
      <Notice kind="warning">{text}</Notice>
    </div>
  );
}

/** After each attempt the focus goes to the first thing that is wrong, wherever the button was pressed from. */
export function useFocusOnFault(attempt: number) {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (attempt > 0) frame.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-fault]')?.focus();
  }, [attempt]);
  return frame;
}
