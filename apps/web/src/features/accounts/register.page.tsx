import { register } from '@lavra/api';
import { isEmail, limits } from '@lavra/domain';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation, useNavigate } from 'react-router';
import { callApi } from '../../lib/api-client.ts';
import type { Locale } from '../../lib/i18n.ts';
import { errorText, fieldErrorText } from '../../shell/error-text.ts';
import { Notice, Page } from '../../shell/page.tsx';
import { TextField } from '../../ui/field.tsx';
import { newPasswordFault } from './new-password-fault.ts';
import { NewPasswordFields } from './new-password.tsx';

export function Component() {
  const { t, i18n } = useTranslation();
  const navigate = useNavigate();
  const queries = useQueryClient();
  // The start of an installation in production prints this page's address with the key behind the #, which no server sees.
  const [firstKey, setFirstKey] = useState(new URLSearchParams(useLocation().hash.slice(1)).get('key') ?? '');
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState({ password: '', repeat: '' });
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const [done, setDone] = useState(false);
  const nameError = tried && name.trim() === '' ? t('account.nameRequired') : fieldErrorText(failure, 'firstName', t);
  const firstKeyError = fieldErrorText(failure, 'firstKey', t);
  const emailError = tried && !isEmail(email.trim()) ? t('account.emailInvalid') : fieldErrorText(failure, 'email', t);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setTried(true);
    setFailure(null);
    if (name.trim() === '' || !isEmail(email.trim()) || newPasswordFault(password)) return;
    setBusy(true);
    try {
      const { activated } = await callApi(register, {
        body: {
          firstName: name.trim(),
          login: email.trim(),
          email: email.trim(),
          password: password.password,
          langKey: i18n.language as Locale,
          ...(firstKey.trim() === '' ? {} : { firstKey: firstKey.trim() }),
        },
      });
      await queries.invalidateQueries({ queryKey: ['management-info'] });
      if (activated) return void navigate('/login', { state: { message: 'register.ready' } });
      setDone(true);
    } catch (error) {
      setFailure(error);
    }
    setBusy(false);
  }

  if (done)
    return (
      <Page title={t('register.checkTitle')} narrow>
        <Notice kind="success">{t('register.check', { email })}</Notice>
        <p>{t('register.checkHere')}</p>
      </Page>
    );
  return (
    <Page title={t('register.title')} narrow>
      <form onSubmit={submit} noValidate>
        {failure !== null && !emailError && !nameError && !firstKeyError && <Notice kind="error">{errorText(failure, t)}</Notice>}
        <TextField
          label={t('register.name')}
          autoComplete="name"
          maxLength={limits.nameMax}
          value={name}
          onChange={setName}
          error={nameError}
        />
        <TextField
          label={t('login.email')}
          type="email"
          autoComplete="email"
          maxLength={limits.emailMax}
          value={email}
          onChange={setEmail}
          error={emailError}
        />
        <NewPasswordFields value={password} onChange={setPassword} tried={tried} serverError={fieldErrorText(failure, 'password', t)} />
        {(firstKey !== '' || firstKeyError !== undefined) && (
          <TextField
            label={t('register.firstKey')}
            hint={t('register.firstKeyHint')}
            autoComplete="off"
            spellCheck={false}
            value={firstKey}
            onChange={setFirstKey}
            error={firstKeyError}
          />
        )}
        <div className="actions">
          <button type="submit" className="primary" disabled={busy}>
            {t('register.submit')}
          </button>
        </div>
        <p>
          <Link to="/login">{t('register.back')}</Link>
        </p>
      </form>
    </Page>
  );
}
