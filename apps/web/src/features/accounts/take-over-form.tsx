import { confirmAccount } from '@lavra/api';
import { limits } from '@lavra/domain';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError, callApi } from '../../lib/api-client.ts';
import { errorText, fieldErrorText } from '../../shell/error-text.ts';
import { Notice } from '../../shell/page.tsx';
import { TextField } from '../../ui/field.tsx';
import { newPasswordFault } from './new-password-fault.ts';
import { NewPasswordFields } from './new-password.tsx';

/** “Não fui eu”: whoever reads the mail gives the account a name and a password of their own. */
export function TakeOverForm({
  activationKey,
  onActive,
  onFailed,
  onBack,
}: {
  activationKey: string;
  onActive(): void;
  onFailed(error: unknown): void;
  onBack(): void;
}) {
  const { t } = useTranslation();
  const [name, setName] = useState('');
  const [password, setPassword] = useState({ password: '', repeat: '' });
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const nameFault = tried && name.trim() === '' ? t('account.nameRequired') : fieldErrorText(failure, 'firstName', t);
  const passwordFault = fieldErrorText(failure, 'newPassword', t);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setTried(true);
    setFailure(null);
    if (name.trim() === '' || newPasswordFault(password)) return;
    setBusy(true);
    try {
      await callApi(confirmAccount, { body: { key: activationKey, newPassword: password.password, firstName: name.trim() } });
      return onActive();
    } catch (error) {
      if (error instanceof ApiError && error.code === 'account.keyInvalid') return onFailed(error);
      setFailure(error);
    }
    setBusy(false);
  }

  return (
    <form onSubmit={submit} noValidate>
      <p>{t('activate.takeOver')}</p>
      {failure !== null && !nameFault && !passwordFault && <Notice kind="error">{errorText(failure, t)}</Notice>}
      <TextField
        label={t('register.name')}
        autoComplete="name"
        // The button that opened this form is gone: the focus goes on here.
        autoFocus
        maxLength={limits.nameMax}
        value={name}
        onChange={setName}
        error={nameFault}
      />
      <NewPasswordFields value={password} onChange={setPassword} tried={tried} serverError={passwordFault} />
      <div className="actions">
        <button type="submit" className="primary" disabled={busy}>
          {t('activate.takeOverSubmit')}
        </button>
        <button type="button" onClick={onBack}>
          {t('activate.back')}
        </button>
      </div>
    </form>
  );
}
