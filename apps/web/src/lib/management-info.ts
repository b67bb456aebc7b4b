import { getManagementInfo } from '@lavra/api';
import { useQuery } from '@tanstack/react-query';
import { callApi } from './api-client.ts';

export function useManagementInfo() {
  return useQuery({ queryKey: ['management-info'], queryFn: () => callApi(getManagementInfo, {}), staleTime: 30_000 });
}
