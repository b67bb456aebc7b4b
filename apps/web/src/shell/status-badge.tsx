import { useTranslation } from '../lib/i18n.ts';

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
export function SignerBadge({ status, hasEnded = false }: { status: string; hasEnded?: boolean }) {
  const { t } = useTranslation();
  // The process has ended: nobody waits for them any more.
  if (hasEnded && status !== 'SIGNED' && status !== 'REJECTED')
    return <span className="badge badge-wait">{t('signerStatus.unneeded')}</span>;
  const known = status in signerKinds;
  return (
    <span className={`badge ${signerKinds[status] ?? 'badge-wait'}`}>{t(known ? `signerStatus.${status}` : 'signerStatus.WAITING')}</span>
  );
}
