import { useAccount } from '../../../lib/account.ts';
import { useManagementInfo } from '../../../lib/management-info.ts';

const MEGABYTE = 1024 * 1024;

/** How many bytes a file may have: as the installation says, or the company of who is signed in; undefined: not known yet. */
export function useUploadLimit(): number | undefined {
  const { data: info } = useManagementInfo();
  const { data: account } = useAccount();
  const own = account?.company?.maxDocSize ?? null;
  return info && Math.min(info.maxUploadBytes, own === null ? Number.POSITIVE_INFINITY : own * MEGABYTE);
}
