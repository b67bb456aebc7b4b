import type { ProcessListItem } from '@lavra/api';
import { formatDateTime } from '../lib/format.ts';
import { type Translate, useTranslation } from '../lib/i18n.ts';

const processKinds: Record<string, string> = {
  IN_PROGRESS: '',
  FINALIZED_WITH_SUCCESS: 'badge-good',
  FINALIZED_BY_EXPIRATION: 'badge-wait',
  FINALIZED_BY_REJECTION: 'badge-bad',
  CREATOR_CANCELED: 'badge-bad',
};
const signerKinds: Record<string, string> = { SENT: '', SIGNED: 'badge-good', REJECTED: 'badge-bad' };

/** Status in words; anything else is unknown (section 4). */
export function ProcessBadge({ status }: { status: string }) {
  const { t } = useTranslation();
  const known = status in processKinds;
  return <span className={`badge ${processKinds[status] ?? 'badge-wait'}`}>{t(known ? `status.${status}` : 'status.unknown')}</span>;
}

/** SENT, SIGNED, REJECTED; any other is shown as waiting turn. */
export function SignerBadge({ status, hasEnded }: { status: string; hasEnded: boolean }) {
  const { t } = useTranslation();
  // The process has ended: nobody waits for them any more.
  if (hasEnded && status !== 'SIGNED' && status !== 'REJECTED')
    return <span className="badge badge-wait">{t('signerStatus.unneeded')}</span>;
  const known = status in signerKinds;
  return (
    <span className={`badge ${signerKinds[status] ?? 'badge-wait'}`}>{t(known ? `signerStatus.${status}` : 'signerStatus.WAITING')}</span>
  );
}

const ends: Partial<Record<ProcessListItem['status'], string>> = {
  CREATOR_CANCELED: 'home.endCanceled',
  FINALIZED_BY_REJECTION: 'home.endRejected',
  FINALIZED_BY_EXPIRATION: 'home.endExpired',
  FINALIZED_WITH_SUCCESS: 'home.endFinished',
};

/** How a process ended, through whom and when, in one sentence for everybody; null while it has not. */
export function processEndText(status: ProcessListItem['status'], by: string | null, at: string | null, t: Translate): string | null {
  const key = status === 'FINALIZED_BY_EXPIRATION' && by !== null ? 'home.endLate' : ends[status];
  return key === undefined || at === null ? null : t(key, { name: by ?? '', at: formatDateTime(at) });
}
