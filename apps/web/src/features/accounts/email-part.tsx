import { type Account, cancelEmailChange, getAccount, saveAccount } from '@lavra/api';
import { isEmail, limits } from '@lavra/domain';
import { type FormEvent, useState } from 'react';
import { useTranslation } from '../../lib/i18n.ts';
import { useAct } from '../../lib/calls.ts';
import { errorText, fieldErrorText } from '../../shell/error-text.ts';
import { Notice } from '../../shell/page.tsx';
import { PasswordField, TextField } from '../../ui/field.tsx';
import { showToast } from '../../ui/toasts.ts';

/** The account's address; another one takes its place when it was confirmed. A provider's stays the provider's. */
export function EmailPart({ account }: { account: Account }) {
  const { t } = useTranslation();
  const [changing, setChanging] = useState(false);
  const isOwn = account.loginType === 'password';
  return (
    <section className="account-part" aria-labelledby="account-email">
      <h2 id="account-email">{t('email.title')}</h2>
      <p>{t('email.now', { email: account.email })}</p>
      {!isOwn && <p className="hint">{t('account.emailOfProvider')}</p>}
      {account.pendingEmail !== null && <PendingEmail email={account.pendingEmail} />}
      {isOwn && changing && <EmailForm account={account} onSent={() => setChanging(false)} />}
      {isOwn && !changing && (
        <button type="button" onClick={() => setChanging(true)}>
          {t('email.change')}
        </button>
      )}
    </section>
  );
}

function PendingEmail({ email }: { email: string }) {
  const { t } = useTranslation();
  const { act, busy } = useAct(cancelEmailChange, [getAccount]);
  const cancel = async () => {
    if (await act({})) showToast({ text: t('email.cancelled') });
  };
  return (
    <Notice>
      <p>{t('email.pending', { email })}</p>
      <button type="button" disabled={busy} onClick={() => void cancel()}>
        {t('email.cancel')}
      </button>
    </Notice>
  );
}

function EmailForm({ account, onSent }: { account: Account; onSent(): void }) {
  const { t } = useTranslation();
  const { act, busy, failure } = useAct(saveAccount, [getAccount]);
  const [email, setEmail] = useState('');
  const [currentPassword, setPassword] = useState('');
  const [tried, setTried] = useState(false);
  const faults = {
    email: tried && !isEmail(email.trim()) ? t('account.emailInvalid') : fieldErrorText(failure, 'email', t),
    password: tried && currentPassword === '' ? t('account.passwordRequired') : fieldErrorText(failure, 'currentPassword', t),
  };

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setTried(true);
    if (!isEmail(email.trim()) || currentPassword === '') return;
    const { firstName, lastName, langKey } = account;
    if (await act({ body: { firstName, lastName, langKey, email: email.trim(), currentPassword } })) onSent();
  }

  return (
    <form onSubmit={submit} noValidate>
      {failure !== null && !faults.email && !faults.password && <Notice kind="error">{errorText(failure, t)}</Notice>}
      <TextField
        label={t('email.new')}
        hint={t('email.newHint')}
        type="email"
        autoComplete="off"
        // The button that opened this form is gone: the focus goes on here.
        autoFocus
        maxLength={limits.emailMax}
        value={email}
        onChange={setEmail}
        error={faults.email}
      />
      <PasswordField
        label={t('password.current')}
        autoComplete="current-password"
        value={currentPassword}
        onChange={setPassword}
        error={faults.password}
        showLabel={t('password.show')}
        hideLabel={t('password.hide')}
      />
      <div className="actions">
        <button type="submit" className="primary" disabled={busy}>
          {t('email.send')}
        </button>
        <button type="button" disabled={busy} onClick={onSent}>
          {t('entity.cancel')}
        </button>
      </div>
    </form>
  );
}
