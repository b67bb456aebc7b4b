import { type CompanyOverview, getCompanyOverview, setCompanyLogo } from '@lavra/api';
import { limits } from '@lavra/domain';
import { useState } from 'react';
import { useTranslation } from '../../lib/i18n.ts';
import { ApiError } from '../../lib/api-client.ts';
import { useAct } from '../../lib/calls.ts';
import { errorText } from '../../shell/error-text.ts';
import { Notice } from '../../shell/page.tsx';
import { Field } from '../../ui/field.tsx';

/** The picture for mails. */
export function LogoPart({ company }: { company: CompanyOverview }) {
  const { t } = useTranslation();
  const [tooLarge, setTooLarge] = useState(false);
  const { act, busy, failure, forget } = useAct(setCompanyLogo, [getCompanyOverview]);
  const kilobytes = limits.companyLogoMaxBytes / 1024;
  const send = (image: string | null) => act({ params: { id: company.id }, body: { image } });
  function choose(file: File | undefined): void {
    forget();
    setTooLarge(file !== undefined && file.size > limits.companyLogoMaxBytes);
    if (!file || file.size > limits.companyLogoMaxBytes) return;
    const reader = new FileReader();
    reader.onload = () => void send(String(reader.result).replace(/^data:[^,]*,/, ''));
    reader.readAsDataURL(file);
  }
  return (
    <div className="company-logo">
      {failure !== null && <Notice kind="error">{isNoPicture(failure) ? t('company.logoInvalid') : errorText(failure, t)}</Notice>}
      {company.logo && <img src={`/api/company-logo/${company.logo}`} alt={t('company.logoOf', { name: company.name })} />}
      <Field
        label={t('company.logo')}
        hint={t('company.logoHint', { kilobytes })}
        error={tooLarge ? t('company.logoTooLarge', { kilobytes }) : undefined}
      >
        {({ id, describedBy }) => (
          <label className="button file-button">
            {t('word.chooseFile')}
            <input
              id={id}
              type="file"
              accept="image/png,image/jpeg"
              className="visually-hidden"
              disabled={busy}
              aria-describedby={describedBy}
              onChange={(event) => {
                choose(event.target.files?.[0]);
                event.target.value = '';
              }}
            />
          </label>
        )}
      </Field>
      {company.logo && (
        <button type="button" className="danger" disabled={busy} onClick={() => void send(null)}>
          {t('company.logoRemove')}
        </button>
      )}
    </div>
  );
}

/** Pictures are judged as those of signatures are, whose sentences speak of a signature. */
function isNoPicture(failure: unknown): boolean {
  return failure instanceof ApiError && failure.code.startsWith('evidence.image');
}
