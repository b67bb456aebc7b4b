import { getAccount } from '@lavra/api';
import { useCall } from './calls.ts';
import { useSessionId } from './session.ts';

/** Who is signed in. */
export function useAccount() {
  const session = useSessionId();
  return useCall(getAccount, {}, { per: session ?? '', enabled: session !== null, freshMs: 60_000, retry: false });
}
