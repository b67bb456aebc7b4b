import { changePassword } from '@lavra/api';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAct } from '../../lib/calls.ts';
import { errorText } from '../../shell/error-text.ts';
import { Notice, Page } from '../../shell/page.tsx';
import { PasswordField } from '../../ui/field.tsx';
import { newPasswordFault } from './new-password-fault.ts';
import { NewPasswordFields } from './new-password.tsx';

export function Component() {
  const { t } = useTranslation();
  const [current, setCurrent] = useState('');
  const [password, setPassword] = useState({ password: '', repeat: '' });
  const [tried, setTried] = useState(false);
  const [saved, setSaved] = useState(false);
  const { act, failure } = useAct(changePassword);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setTried(true);
    if (current === '' || newPasswordFault(password)) return;
    setSaved(false);
    if (!(await act({ body: { currentPassword: current, newPassword: password.password } }))) return;
    setSaved(true);
    setTried(false);
    setCurrent('');
    setPassword({ password: '', repeat: '' });
  }

  return (
    <Page title={t('shell.password')} frame="form">
      <form onSubmit={submit} noValidate>
        {saved && <Notice kind="success">{t('password.changed')}</Notice>}
        {failure !== null && <Notice kind="error">{errorText(failure, t)}</Notice>}
        <PasswordField
          label={t('password.current')}
          autoComplete="current-password"
          value={current}
          onChange={setCurrent}
          error={tried && current === '' ? t('login.empty') : undefined}
          showLabel={t('password.show')}
          hideLabel={t('password.hide')}
        />
        <NewPasswordFields value={password} onChange={setPassword} tried={tried} />
        <div className="actions">
          <button type="submit" className="primary">
            {t('settings.save')}
          </button>
        </div>
      </form>
    </Page>
  );
}
