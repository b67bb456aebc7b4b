import { type Account, getAccount, saveAccount } from '@lavra/api';
import { checkedFirstName, limits, refusalOf } from '@lavra/domain';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAccount } from '../../lib/account.ts';
import { useAct } from '../../lib/calls.ts';
import { changeLocale } from '../../lib/i18n.ts';
import { errorText } from '../../shell/error-text.ts';
import { Notice, Page } from '../../shell/page.tsx';
import { Field, TextField } from '../../ui/field.tsx';
import { Loading } from '../../ui/states.tsx';

export function Component() {
  const { t } = useTranslation();
  const { data: account } = useAccount();
  return (
    <Page title={t('shell.settings')} frame="form">
      {account ? <SettingsForm account={account} /> : <Loading rows={4} />}
    </Page>
  );
}

function SettingsForm({ account }: { account: Account }) {
  const { t } = useTranslation();
  const { act, failure } = useAct(saveAccount, [getAccount]);
  const [firstName, setFirstName] = useState(account.firstName);
  const [lastName, setLastName] = useState(account.lastName);
  const [langKey, setLangKey] = useState(account.langKey);
  const [saved, setSaved] = useState(false);
  const nameFault = refusalOf(() => checkedFirstName(firstName));

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setSaved(false);
    if (!(await act({ body: { firstName, lastName, email: account.email, langKey } }))) return;
    await changeLocale(langKey);
    setSaved(true);
  }

  return (
    <form onSubmit={submit} noValidate>
      {saved && <Notice kind="success">{t('settings.saved')}</Notice>}
      {failure !== null && <Notice kind="error">{errorText(failure, t)}</Notice>}
      <TextField
        label={t('settings.firstName')}
        autoComplete="given-name"
        maxLength={limits.nameMax}
        value={firstName}
        onChange={setFirstName}
        error={nameFault ? t(nameFault.code, nameFault.params) : undefined}
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
