import { getAccount } from '@lavra/api';
import { useQuery } from '@tanstack/react-query';
import { callApi } from './api-client.ts';
import { useToken } from './session.ts';

export function useAccount() {
  const token = useToken();
  return useQuery({
    queryKey: ['account', token],
    queryFn: () => callApi(getAccount, {}),
    enabled: token !== null,
    staleTime: 60_000,
    retry: false,
  });
}
