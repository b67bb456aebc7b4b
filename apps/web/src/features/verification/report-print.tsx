import { useEffect } from 'react';
import { useTranslation } from '../../lib/i18n.ts';
import { formatDateTime, zoneName } from '../../lib/format.ts';
import { timeZone } from '../../lib/zone.ts';
import { Icon } from '../../ui/icons.tsx';

/** Paper has nothing to unfold: whatever is folded away is open while it is printed. */
export function useUnfoldedInPrint(): void {
  useEffect(() => {
    let folded: HTMLDetailsElement[] = [];
    const gone = new AbortController();
    const { signal } = gone;
    const unfold = () => {
      folded = [...document.querySelectorAll<HTMLDetailsElement>('#content details:not([open])')];
      for (const details of folded) details.open = true;
    };
    const fold = () => {
      for (const details of folded) details.open = false;
      folded = [];
    };
    window.addEventListener('beforeprint', unfold, { signal });
    window.addEventListener('afterprint', fold, { signal });
    return () => gone.abort();
  }, []);
}

/** Prints the page as a report, or keeps it as a PDF: the browser's own dialog offers both. */
export function PrintReport() {
  const { t } = useTranslation();
  return (
    <button type="button" onClick={() => window.print()}>
      <Icon name="print" /> {t('verify.print')}
    </button>
  );
}

/** On paper alone: what was judged, when, by whom, and where it is judged anew. Of a file that is kept no longer nothing was. */
export function ReportHead({ at, again, isRemoved = false }: { at: Date; again: string; isRemoved?: boolean }) {
  const { t, i18n } = useTranslation();
  const zone = zoneName(timeZone(), i18n.language);
  return (
    <div className="report-head">
      <p>
        <strong>Lavra</strong> · {t('verify.report')}
      </p>
      <p>{t(isRemoved ? 'verify.reportAskedAt' : 'verify.reportAt', { time: formatDateTime(at.toISOString()), zone })}</p>
      <p>{t('verify.reportAgain', { address: again })}</p>
    </div>
  );
}
