import { confirmAccount } from '@lavra/api';
import { checkedFirstName, limits, refusalOf } from '@lavra/domain';
import { type FormEvent, useEffect, useState } from 'react';
import { useTranslation } from '../../lib/i18n.ts';
import { ApiError } from '../../lib/api-client.ts';
import { useAct } from '../../lib/calls.ts';
import { errorText, fieldErrorText } from '../../shell/error-text.ts';
import { Notice } from '../../shell/page.tsx';
import { TextField } from '../../ui/field.tsx';
import { newPasswordFault } from './new-password-fault.ts';
import { NewPasswordFields } from './new-password.tsx';

interface TakeOverProps {
  activationKey: string;
  onActive(): void;
  /** The key is good for nothing (any more). */
  onFailed(error: unknown): void;
  onBack(): void;
}

/** “Não fui eu”: whoever reads the mail gives the account a name and a password of their own. */
export function TakeOverForm({ activationKey, onActive, onFailed, onBack }: TakeOverProps) {
  const { t } = useTranslation();
  const [name, setName] = useState('');
  const [password, setPassword] = useState({ password: '', repeat: '' });
  const [tried, setTried] = useState(false);
  const { act, busy, failure } = useAct(confirmAccount);
  const refusal = refusalOf(() => checkedFirstName(name));
  const nameFault = tried && refusal ? t(refusal.code, refusal.params) : fieldErrorText(failure, 'firstName', t);
  const passwordFault = fieldErrorText(failure, 'newPassword', t);
  useEffect(() => {
    if (failure instanceof ApiError && failure.code === 'account.keyInvalid') onFailed(failure);
  }, [failure]);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setTried(true);
    if (refusal || newPasswordFault(password)) return;
    if (await act({ body: { key: activationKey, newPassword: password.password, firstName: name.trim() } })) onActive();
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
