import type { ProcessListItem } from '@lavra/api';
import { formatDateTime } from '../lib/format.ts';
import type { Translate } from '../lib/i18n.ts';

const ends: Partial<Record<ProcessListItem['status'], string>> = {
  CREATOR_CANCELED: 'home.endCanceled',
  FINALIZED_BY_REJECTION: 'home.endRejected',
  FINALIZED_BY_EXPIRATION: 'home.endExpired',
  FINALIZED_WITH_SUCCESS: 'home.endFinished',
};

/** How a process ended, through whom and when, in one sentence for everybody; null while it has not. */
export function processEndText(status: ProcessListItem['status'], by: string, at: string | null, t: Translate): string | null {
  const key = ends[status];
  return key === undefined || at === null ? null : t(key, { name: by, at: formatDateTime(at) });
}
