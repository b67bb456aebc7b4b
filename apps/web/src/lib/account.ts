import { getAccount } from '@lavra/api';
import { useQuery } from '@tanstack/react-query';
import { callApi } from './api-client.ts';
import { useSessionId } from './session.ts';

export function useAccount() {
  const session = useSessionId();
  return useQuery({
    queryKey: ['account', session],
    queryFn: () => callApi(getAccount, {}),
    enabled: session !== null,
    staleTime: 60_000,
    retry: false,
  });
}
