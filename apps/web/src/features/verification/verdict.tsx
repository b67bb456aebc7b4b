import { useTranslation } from '../../lib/i18n.ts';
import type { Judged } from './judged.ts';

const badgeOf: Record<string, string> = { 'TOTAL-PASSED': 'badge-good', 'TOTAL-FAILED': 'badge-bad' };

/** The engine's word on one mark. What ought to be there and is not, does not hold. */
export function Verdict({ mark: { indication } }: { mark: Judged }) {
  const { t } = useTranslation();
  const word = indication ?? 'TOTAL-FAILED';
  return (
    <span className={`badge ${badgeOf[word] ?? 'badge-wait'}`}>{t(`verify.indication.${word in badgeOf ? word : 'INDETERMINATE'}`)}</span>
  );
}
