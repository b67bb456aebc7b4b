import { useEffect } from 'react';
import { keepTokenFresh } from '../lib/renew-token.ts';
import { isSingleSignOn } from '../lib/single-sign-on.ts';

const EVERY_MS = 30_000;
const WINDOW_MS = 60_000;

/** In single sign-on mode the token is renewed before its last minute is over, so that what ends at the provider ends on an open page too. */
export function useKeptSession(session: string | null): void {
  useEffect(() => {
    if (session === null || !isSingleSignOn()) return undefined;
    const timer = setInterval(() => void keepTokenFresh(WINDOW_MS), EVERY_MS);
    return () => clearInterval(timer);
  }, [session]);
}
