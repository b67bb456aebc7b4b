import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { useSessionId } from '../../lib/session.ts';

/**
 * Leaves for the list of processes after a while (section 4). Only with a session: for a person without an
 * account "home" would be the sign-in form, which is no place to be thanked in, so the page stays.
 */
export function useGoHome(active: boolean, afterMs: number): void {
  const navigate = useNavigate();
  const signedIn = useSessionId() !== null;
  const leaving = active && signedIn;
  useEffect(() => {
    if (!leaving) return undefined;
    const timer = setTimeout(() => void navigate('/signature'), afterMs);
    return () => clearTimeout(timer);
  }, [leaving, afterMs, navigate]);
}
