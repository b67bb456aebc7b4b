import { type Account, getAccount, saveAccount } from '@lavra/api';
import { checkedFirstName, limits, refusalOf } from '@lavra/domain';
import { type FormEvent, useMemo, useState } from 'react';
import { useAct } from '../../lib/calls.ts';
import { changeLocale, useTranslation } from '../../lib/i18n.ts';
import { LocaleOptions } from '../../ui/locale-options.tsx';
import { isSingleSignOn } from '../../lib/single-sign-on.ts';
import { errorText } from '../../shell/error-text.ts';
import { Notice } from '../../shell/page.tsx';
import { Combobox } from '../../ui/combobox.tsx';
import { Field, TextField } from '../../ui/field.tsx';
import { timeZones } from './time-zones.ts';

/** Names, language, time zone. */
export function ProfileForm({ account }: { account: Account }) {
  const { t, i18n } = useTranslation();
  const { act, busy, failure } = useAct(saveAccount, [getAccount]);
  const [firstName, setFirstName] = useState(account.firstName);
  const [lastName, setLastName] = useState(account.lastName);
  const [langKey, setLangKey] = useState(account.langKey);
  const [timeZone, setTimeZone] = useState(account.timeZone);
  const [saved, setSaved] = useState(false);
  const zones = useMemo(() => timeZones(i18n.language, account.timeZone, t), [i18n.language, account.timeZone, t]);
  const isProviders = isSingleSignOn();
  const nameFault = refusalOf(() => checkedFirstName(firstName));

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setSaved(false);
    if (nameFault || !(await act({ body: { firstName, lastName, langKey, timeZone } }))) return;
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
        readOnly={isProviders}
        hint={isProviders ? t('settings.nameOfProvider') : undefined}
        error={nameFault ? t(nameFault.code, nameFault.params) : undefined}
      />
      <TextField
        label={t('settings.lastName')}
        autoComplete="family-name"
        maxLength={limits.nameMax}
        value={lastName}
        onChange={setLastName}
        readOnly={isProviders}
      />
      <Field label={t('shell.language')}>
        {({ id }) => (
          <select id={id} value={langKey} onChange={(event) => setLangKey(event.target.value as Account['langKey'])}>
            <LocaleOptions />
          </select>
        )}
      </Field>
      <Combobox label={t('settings.timeZone')} hint={t('settings.timeZoneHint')} options={zones} value={timeZone} onChange={setTimeZone} />
      <div className="actions">
        <button type="submit" className="primary" disabled={busy}>
          {t('settings.save')}
        </button>
      </div>
    </form>
  );
}
