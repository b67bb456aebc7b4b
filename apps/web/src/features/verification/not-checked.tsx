import { openQuestions } from '@lavra/domain';
import { useTranslation } from '../../lib/i18n.ts';
import type { Judged } from './judged.ts';

interface NotCheckedProps {
  marks: readonly Judged[];
  /** The visitor's own file, which came with no process and no list. */
  isOwnFile: boolean;
  /** There are copies of what is stored here. */
  hasCopies?: boolean;
}

/** What whoever relies on the document has to find out by themself. */
export function NotChecked({ marks, isOwnFile, hasCopies = false }: NotCheckedProps) {
  const { t } = useTranslation();
  const unproven = marks.filter(({ kind, provenTime, indication }) => kind === 'signature' && provenTime === null && indication !== null);
  return (
    <section className="card">
      <h2>{t('verify.notChecked')}</h2>
      <ul className="bullets">
        {openQuestions(marks).map((question) => (
          <li key={question}>{t(`verify.open.${question}`)}</li>
        ))}
        {isOwnFile && marks.some(({ reasons }) => reasons.includes('REVOCATION_UNKNOWN')) && <li>{t('verify.fileRevocation')}</li>}
        {unproven.length > 0 && <li>{t('verify.open.time', { count: unproven.length })}</li>}
        {hasCopies && <li>{t('verify.open.copy')}</li>}
        <li>{t('verify.open.meaning')}</li>
      </ul>
    </section>
  );
}
