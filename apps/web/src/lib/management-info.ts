import { getManagementInfo } from '@lavra/api';
import { useCall } from './calls.ts';

/** What the pages ask at their start. */
export function useManagementInfo() {
  return useCall(getManagementInfo, {}, { freshMs: 30_000 });
}
