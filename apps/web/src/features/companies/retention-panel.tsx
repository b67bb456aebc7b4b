import { type CompanyOverview, getCompanyOverview, patchCompany } from '@lavra/api';
import { limits } from '@lavra/domain';
import { type FormEvent, useState } from 'react';
import { useTranslation } from '../../lib/i18n.ts';
import { useAct } from '../../lib/calls.ts';
import { errorText } from '../../shell/error-text.ts';
import { Notice } from '../../shell/page.tsx';
import { TextField } from '../../ui/field.tsx';
import { maskDigits } from '../../ui/masks.ts';
import { showToast } from '../../ui/toasts.ts';

/** How long files are kept, and how large one may be; saved when both are positive (section 5). */
export function RetentionPanel({ company }: { company: CompanyOverview }) {
  const { t } = useTranslation();
  /** What is typed here; what is not stands as it is kept, whoever changed it. */
  const [typed, type] = useState<{ maxTime?: string; maxDocSize?: string }>({});
  const { maxTime = String(company.maxTime ?? ''), maxDocSize = String(company.maxDocSize ?? '') } = typed;
  const [tried, setTried] = useState(false);
  const { act, busy, failure } = useAct(patchCompany, [getCompanyOverview]);
  const days = limits.companyRetentionMaxDays;
  const megabytes = limits.companyDocSizeMaxMb;
  const isGood = (text: string, max: number) => Number(text) >= 1 && Number(text) <= max;
  const faultOf = (text: string, max: number) => (tried && !isGood(text, max) ? t('company.retentionInvalid', { max }) : undefined);

  async function save(event: FormEvent): Promise<void> {
    event.preventDefault();
    setTried(true);
    if (!isGood(maxTime, days) || !isGood(maxDocSize, megabytes)) return;
    const body = { maxTime: Number(maxTime), maxDocSize: Number(maxDocSize) };
    if (!(await act({ params: { id: company.id }, body }))) return;
    type({});
    showToast({ text: t('company.retentionSaved') });
  }
  return (
    <section className="card" aria-labelledby="company-retention">
      <h2 id="company-retention">{t('company.retention')}</h2>
      <p className="hint">{t('company.retentionText')}</p>
      <form onSubmit={(event) => void save(event)} noValidate>
        {failure !== null && (
          <Notice kind="error">
            <strong>{t('company.retentionFailed')}</strong> {errorText(failure, t)}
          </Notice>
        )}
        <TextField
          label={t('company.maxTime')}
          inputMode="numeric"
          value={maxTime}
          onChange={(text) => type({ ...typed, maxTime: maskDigits(text, '99999') })}
          error={faultOf(maxTime, days)}
        />
        <TextField
          label={t('company.maxDocSize')}
          inputMode="numeric"
          value={maxDocSize}
          onChange={(text) => type({ ...typed, maxDocSize: maskDigits(text, '9999') })}
          error={faultOf(maxDocSize, megabytes)}
        />
        <div className="actions">
          <button type="submit" className="primary" disabled={busy} aria-busy={busy}>
            {t('entity.save')}
          </button>
        </div>
      </form>
    </section>
  );
}
