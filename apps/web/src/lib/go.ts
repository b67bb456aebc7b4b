import { useCallback, useEffect } from 'react';
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

/** Tells who waits for it that a page is shown. To be called where every page stands. */
export function useTellShown(): void {
  const { key } = useLocation();
  useEffect(() => {
    for (const tell of waiting) tell();
    waiting.clear();
  }, [key]);
}
