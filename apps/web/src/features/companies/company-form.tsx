import { companies, type Company, type CompanyOverview, getAccount, getCompanyOverview, patchCompany } from '@lavra/api';
import { checkedCompany, formatCnpj, limits } from '@lavra/domain';
import { useForm } from 'react-hook-form';
import { leftSince } from '../../lib/go.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useAct } from '../../lib/calls.ts';
import { ruleResolver } from '../../lib/rule-resolver.ts';
import { codeText, errorText } from '../../shell/error-text.ts';
import { Notice } from '../../shell/page.tsx';
import { FormTextField } from '../../ui/form-field.tsx';
import { showToast } from '../../ui/toasts.ts';
import { ColorField } from './color-field.tsx';

interface Form {
  name: string;
  cnpj: string;
  brandColor: string;
  accentColor: string;
}

/** Name, CNPJ and colours of a company; null: a new one, which has no looks yet. */
export function CompanyForm({ company, onSaved }: { company: CompanyOverview | null; onSaved?: (saved: Company) => void }) {
  const { t } = useTranslation();
  const creation = useAct(companies.create, [getAccount]);
  const change = useAct(patchCompany, [getCompanyOverview]);
  const { busy, failure } = company ? change : creation;
  const { control, handleSubmit, reset } = useForm<Form>({
    // What somebody else has changed meanwhile is followed, but for what is being typed here: no name of before is saved over theirs.
    values: formOf(company),
    resetOptions: { keepDirtyValues: true },
    resolver: ruleResolver(
      (form) => checkedCompany(form),
      (code, params) => codeText(code, t, params),
    ),
  });
  const save = handleSubmit(async (form) => {
    const hasLeft = leftSince();
    const body = { name: form.name, cnpj: form.cnpj || null, brandColor: form.brandColor || null, accentColor: form.accentColor || null };
    const done = company
      ? await change.act({ params: { id: company.id }, body: { ...body, version: company.version } })
      : await creation.act({ body });
    if (!done) return;
    reset(form);
    showToast({ text: t(company ? 'entity.saved' : 'entity.created') });
    if (!hasLeft()) onSaved?.(done.reply);
  });
  return (
    <form onSubmit={(event) => void save(event)} noValidate>
      {failure !== null && <Notice kind="error">{errorText(failure, t)}</Notice>}
      <FormTextField
        control={control}
        name="name"
        label={t('company.field.name')}
        maxLength={limits.companyNameMax}
        autoComplete="organization"
      />
      <FormTextField
        control={control}
        name="cnpj"
        label={t('company.field.cnpj')}
        hint={t('company.hint.cnpj')}
        autoComplete="off"
        autoCapitalize="characters"
        mask={formatCnpj}
      />
      {company && (
        <>
          <ColorField control={control} name="brandColor" label={t('company.brandColor')} sample={t('company.brandSample')} />
          <ColorField control={control} name="accentColor" label={t('company.accentColor')} sample={t('company.accentSample')} />
        </>
      )}
      <div className="actions">
        <button type="submit" className="primary" disabled={busy} aria-busy={busy}>
          {t(company ? 'entity.save' : 'company.create')}
        </button>
      </div>
    </form>
  );
}

function formOf(company: CompanyOverview | null): Form {
  return {
    name: company?.name ?? '',
    cnpj: formatCnpj(company?.cnpj ?? ''),
    brandColor: company?.brandColor ?? '',
    accentColor: company?.accentColor ?? '',
  };
}
