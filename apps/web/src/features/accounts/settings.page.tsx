import { type Account, saveAccount } from '@lavra/api';
import { limits } from '@lavra/domain';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAccount } from '../../lib/account.ts';
import { callApi } from '../../lib/api-client.ts';
import { changeLocale } from '../../lib/i18n.ts';
import { errorText } from '../../shell/error-text.ts';
import { Notice, Page } from '../../shell/page.tsx';
import { Field, TextField } from '../../ui/field.tsx';

export function Component() {
  const { t } = useTranslation();
  const { data: account } = useAccount();
  return (
    <Page title={t('shell.settings')} narrow>
      {account ? <SettingsForm account={account} /> : <p>{t('shell.loading')}</p>}
    </Page>
  );
}

function SettingsForm({ account }: { account: Account }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [firstName, setFirstName] = useState(account.firstName);
  const [lastName, setLastName] = useState(account.lastName);
  const [langKey, setLangKey] = useState(account.langKey);
  const [result, setResult] = useState<{ error: unknown } | 'saved' | null>(null);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    try {
      await callApi(saveAccount, { body: { firstName, lastName, email: account.email, langKey } });
      await changeLocale(langKey);
      await queries.invalidateQueries({ queryKey: ['account'] });
      setResult('saved');
    } catch (error) {
      setResult({ error });
    }
  }

  return (
    <form onSubmit={submit} noValidate>
      {result === 'saved' && <Notice kind="success">{t('settings.saved')}</Notice>}
      {result !== null && result !== 'saved' && <Notice kind="error">{errorText(result.error, t)}</Notice>}
      <TextField
        label={t('settings.firstName')}
        autoComplete="given-name"
        maxLength={limits.nameMax}
        value={firstName}
        onChange={setFirstName}
        error={firstName.trim() === '' ? t('account.nameRequired') : undefined}
      />
      <TextField
        label={t('settings.lastName')}
        autoComplete="family-name"
        maxLength={limits.nameMax}
        value={lastName}
        onChange={setLastName}
      />
      <TextField label={t('login.email')} value={account.email} readOnly onChange={() => {}} hint={t('settings.emailHint')} />
      <Field label={t('shell.language')}>
        {({ id }) => (
          <select id={id} value={langKey} onChange={(event) => setLangKey(event.target.value as Account['langKey'])}>
            <option value="pt-br">Português</option>
            <option value="en">English</option>
            <option value="es">Español</option>
          </select>
        )}
      </Field>
      <div className="actions">
        <button type="submit" className="primary">
          {t('settings.save')}
        </button>
      </div>
    </form>
  );
}
