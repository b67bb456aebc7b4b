import { useTranslation } from 'react-i18next';
import { formatDateTime } from '../../lib/format.ts';

const badgeOf: Record<string, string> = { 'TOTAL-PASSED': 'badge-good', 'TOTAL-FAILED': 'badge-bad' };

/** The engine's word on one signature, with what is wrong in a sentence each. */
export function Verdict({
  indication,
  reasons,
  provenTime,
}: {
  indication: string | null;
  reasons: readonly string[];
  provenTime: string | null;
}) {
  const { t } = useTranslation();
  if (indication === null) return '—';
  return (
    <span className="verdict">
      <span className={`badge ${badgeOf[indication] ?? 'badge-wait'}`}>{t(`verify.indication.${indication}`)}</span>
      {provenTime && <span className="hint"> {t('verify.provenTime', { time: formatDateTime(provenTime) })}</span>}
      {reasons.map((reason) => (
        <span key={reason}>{t(`verify.reason.${reason}`)}</span>
      ))}
    </span>
  );
}
