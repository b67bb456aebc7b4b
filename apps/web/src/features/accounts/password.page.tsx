import { changePassword } from '@lavra/api';
import { type FormEvent, useState } from 'react';
import { useTranslation } from '../../lib/i18n.ts';
import { useAccount } from '../../lib/account.ts';
import { useAct } from '../../lib/calls.ts';
import { errorText, fieldErrorText } from '../../shell/error-text.ts';
import { Notice, Page } from '../../shell/page.tsx';
import { PasswordField } from '../../ui/field.tsx';
import { Loading } from '../../ui/states.tsx';
import { newPasswordFault } from './new-password-fault.ts';
import { NewPasswordFields } from './new-password.tsx';

/** Of an account that has a password here: the others' is their provider's. */
export function Component() {
  const { t } = useTranslation();
  const { data: account } = useAccount();
  return (
    <Page title={t('shell.password')} frame="form">
      {!account && <Loading rows={3} />}
      {account && account.loginType !== 'password' && <Notice>{t('account.noPassword')}</Notice>}
      {account?.loginType === 'password' && <PasswordForm />}
    </Page>
  );
}

function PasswordForm() {
  const { t } = useTranslation();
  const [current, setCurrent] = useState('');
  const [password, setPassword] = useState({ password: '', repeat: '' });
  const [tried, setTried] = useState(false);
  const [saved, setSaved] = useState(false);
  const { act, busy, failure } = useAct(changePassword);
  const currentFault = fieldErrorText(failure, 'currentPassword', t);
  const newFault = fieldErrorText(failure, 'newPassword', t);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setTried(true);
    if (current === '' || newPasswordFault(password)) return;
    setSaved(false);
    if (!(await act({ body: { currentPassword: current, newPassword: password.password } }))) return;
    setSaved(true);
    setTried(false);
    // What is typed meanwhile is the next change's.
    setCurrent((now) => (now === current ? '' : now));
    setPassword((now) => (now === password ? { password: '', repeat: '' } : now));
  }

  return (
    <form onSubmit={submit} noValidate>
      {saved && <Notice kind="success">{t('password.changed')}</Notice>}
      {failure !== null && !currentFault && !newFault && <Notice kind="error">{errorText(failure, t)}</Notice>}
      <PasswordField
        label={t('password.current')}
        autoComplete="current-password"
        value={current}
        onChange={setCurrent}
        error={tried && current === '' ? t('login.empty') : currentFault}
        showLabel={t('password.show')}
        hideLabel={t('password.hide')}
      />
      <NewPasswordFields value={password} onChange={setPassword} tried={tried} serverError={newFault} />
      <div className="actions">
        <button type="submit" className="primary" disabled={busy}>
          {t('settings.save')}
        </button>
      </div>
    </form>
  );
}
