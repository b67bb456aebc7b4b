import { limits } from '@lavra/domain';
import { useCallback, useEffect, useState } from 'react';
import { type NavigateOptions, useLocation, useNavigate } from 'react-router';

const waiting = new Set<() => void>();

/** Goes to an address; done once its page is shown. */
export function useGo(): (to: string, options?: NavigateOptions) => Promise<void> {
  const navigate = useNavigate();
  return useCallback(
    (to, options) => {
      const shown = new Promise<void>((resolve) => void waiting.add(resolve));
      void navigate(to, options);
      return shown;
    },
    [navigate],
  );
}

/** Asked later: whether its address was left since, for another page or another record. Whoever has gone on is not fetched back by an answer that comes late. */
export function leftSince(): () => boolean {
  const { href } = window.location;
  return () => window.location.href !== href;
}

/** Leaves a success 100 ms after it (section 9), unless its address was left before; what led to it stays shut meanwhile. */
export function useLeaveSuccess(): { leave: ReturnType<typeof useGo>; leaving: boolean } {
  const go = useGo();
  const [leaving, setLeaving] = useState(false);
  const leave = async (to: string, options?: NavigateOptions): Promise<void> => {
    const hasLeft = leftSince();
    setLeaving(true);
    await new Promise((resolve) => void setTimeout(resolve, limits.successRedirectMs));
    if (!hasLeft()) await go(to, options);
  };
  return { leave, leaving };
}

/** Tells who waits for it that a page is shown. To be called where every page stands. */
export function useTellShown(): void {
  const { key } = useLocation();
  useEffect(() => {
    for (const tell of waiting) tell();
    waiting.clear();
  }, [key]);
}
