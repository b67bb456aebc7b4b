import { getAccount } from '@lavra/api';
import { askAhead, useCall } from './calls.ts';
import { sessionId, useSessionId } from './session.ts';

/** Who is signed in. */
export function useAccount() {
  const session = useSessionId();
  const reading = { per: session ?? '', enabled: session !== null, freshMs: 60_000, retry: false, retryOnMount: false };
  return useCall(getAccount, {}, reading);
}

/** Who is signed in has been asked, before the first page is drawn. */
export async function learnAccount(): Promise<void> {
  const session = sessionId();
  if (session !== null) await askAhead(getAccount, {}, { per: session, retry: false }).catch(() => {});
}
