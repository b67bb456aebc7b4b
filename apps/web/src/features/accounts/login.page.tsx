import { authenticate, type Entered } from '@lavra/api';
import { type FormEvent, Suspense, useEffect, useState } from 'react';
import { lazyInTime } from '../../lib/lazy-pages.ts';
import { Link, Navigate, useLocation } from 'react-router';
import { useTranslation } from '../../lib/i18n.ts';
import { ApiError } from '../../lib/api-client.ts';
import { useAct } from '../../lib/calls.ts';
import { useManagementInfo } from '../../lib/management-info.ts';
import { keepToken, useSessionId, useSessionOver } from '../../lib/session.ts';
import { isSingleSignOn, type ReturnTo } from '../../lib/single-sign-on.ts';
import { errorText } from '../../shell/error-text.ts';
import { Notice, Page } from '../../shell/page.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Checkbox, PasswordField, TextField } from '../../ui/field.tsx';
import { PenStroke } from '../../ui/icons.tsx';
import { Loading } from '../../ui/states.tsx';
import { PasskeySignIn } from './second-factor/passkey-sign-in.tsx';
import type { AwaitedStep } from './second-factor/second-step-page.tsx';
import { SocialButtons } from './social/social-buttons.tsx';

// Where one provider knows everybody.
const SingleSignOn = lazyInTime(async () => (await import('./single-sign-on.tsx')).SingleSignOn);
// Of accounts that have a second factor, or need one.
const SecondStepPage = lazyInTime(async () => (await import('./second-factor/second-step-page.tsx')).SecondStepPage);
// Once in an installation's life: nobody else fetches it here.
const RegisterForm = lazyInTime(async () => (await import('./register-form.tsx')).RegisterForm);

interface LoginState {
  from?: string;
  /** What the page they came from was given: a draft's id, for one. */
  fromState?: unknown;
  /** A sentence to be told here, or on the page that a session leads to. */
  message?: string;
  params?: Readonly<Record<string, string>> | undefined;
  /** Of somebody who has just registered: what they typed, for another try. */
  registered?: { name: string; email: string } | undefined;
  /** A way in that began at another page and waits for its second step. */
  awaited?: AwaitedStep;
}

export function Component() {
  const { t } = useTranslation();
  const state = (useLocation().state ?? {}) as LoginState;
  const isOver = useSessionOver();
  const isEmpty = useManagementInfo().data?.firstAccount === true;
  const { from = '/signature', fromState, message, params } = state;
  const [awaited, setAwaited] = useState<AwaitedStep | null>(null);
  useEffect(() => setAwaited(state.awaited ?? null), [state.awaited]);
  if (useSessionId() !== null) return <Navigate to={from} replace state={fromState ?? (message ? { message } : undefined)} />;
  if (isSingleSignOn())
    return (
      <Suspense fallback={<Loading />}>
        <SingleSignOn returnTo={state} />
      </Suspense>
    );
  const enter = ({ id_token: token, secondStep: step }: Entered, remember: boolean) =>
    step ? setAwaited({ step, remember }) : keepToken(token, remember);
  return (
    <div className="split">
      <aside className="split-brand" aria-label="Lavra">
        <p>{t('login.claim')}</p>
        <p>{t('login.claimText')}</p>
        <PenStroke />
      </aside>
      {awaited ? (
        <Suspense fallback={<Loading />}>
          <SecondStepPage {...awaited} onBack={() => setAwaited(null)} />
        </Suspense>
      ) : (
        <Page key={isEmpty ? 'first' : 'enter'} title={t(isEmpty ? 'login.firstTitle' : 'login.title')} frame="form">
          {message && <Told message={message} params={params} registered={state.registered} />}
          {isOver && !message && <Notice kind="warning">{t('login.error.unauthorized')}</Notice>}
          {isEmpty ? <FirstAccount returnTo={state} /> : <LoginForm returnTo={state} onEntered={enter} />}
        </Page>
      )}
    </div>
  );
}

/** What was done before; whose link does not come finds the way back. */
function Told({ message, params, registered }: { message: string; params: LoginState['params']; registered: LoginState['registered'] }) {
  const { t } = useTranslation();
  return (
    <Notice kind="success">
      <p>{t(message, { ...params })}</p>
      {registered && (
        <p>
          {t('register.notCome')}{' '}
          <Link to="/account/register" state={{ registered }}>
            {t('register.again')}
          </Link>
        </p>
      )}
    </Notice>
  );
}

/** Where nobody has an account yet, there is nobody to sign in. */
function FirstAccount({ returnTo }: Pick<LoginFormProps, 'returnTo'>) {
  const { t } = useTranslation();
  return (
    <>
      <p>{t('login.firstAccount')}</p>
      <Suspense fallback={<Loading />}>
        <RegisterForm />
      </Suspense>
      <SocialButtons remember={false} returnTo={returnTo} />
      <p>
        <Link to="/validateLogin">{t('login.verify')}</Link>
      </p>
    </>
  );
}

interface LoginFormProps {
  returnTo: ReturnTo;
  onEntered(entered: Entered, remember: boolean): void;
}

function LoginForm({ returnTo, onEntered }: LoginFormProps) {
  const { t } = useTranslation();
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const [remember, setRemember] = useState(false);
  const [tried, setTried] = useState(false);
  const { act, busy, failure } = useAct(authenticate);
  const missing = (value: string) => (tried && value === '' ? t('login.empty') : undefined);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setTried(true);
    if (username === '' || password === '') return;
    const signedIn = await act({ body: { username, password, rememberMe: remember } });
    if (signedIn) onEntered(signedIn.reply, remember);
  }

  return (
    <>
      <form onSubmit={submit} noValidate>
        <LoginNotices failure={failure} />
        <TextField
          label={t('word.email')}
          type="email"
          autoComplete="username"
          value={username}
          onChange={setUsername}
          error={missing(username)}
        />
        <PasswordField
          label={t('login.password')}
          autoComplete="current-password"
          value={password}
          onChange={setPassword}
          error={missing(password)}
          showLabel={t('password.show')}
          hideLabel={t('password.hide')}
        />
        <div className="actions spread">
          <Checkbox label={t('login.remember')} checked={remember} onChange={setRemember} />
          <Link to="/account/reset/request">{t('login.forgot')}</Link>
        </div>
        <div className="actions">
          <button type="submit" className="primary" disabled={busy}>
            {t('login.submit')}
          </button>
          <PasskeySignIn remember={remember} onOpened={(token) => keepToken(token, remember)} />
        </div>
      </form>
      <SocialButtons remember={remember} returnTo={returnTo} />
      <OtherWays />
    </>
  );
}

function OtherWays() {
  const { t } = useTranslation();
  return (
    <>
      <p>
        <Link to="/account/register">{t('word.register')}</Link>
      </p>
      <p>
        <Link to="/validateLogin">{t('login.verify')}</Link>
      </p>
    </>
  );
}

/** A refusal is told in a dialog, and stays on the page. */
function LoginNotices({ failure }: { failure: Error | null }) {
  const { t } = useTranslation();
  const [read, setRead] = useState<Error | null>(null);
  return (
    <>
      {failure !== null && (
        <Notice kind="error">
          <LoginFault failure={failure} />
        </Notice>
      )}
      {failure !== null && failure !== read && (
        <Dialog title={t('login.errorWithLogin2')} closeLabel={t('dialog.close')} onClose={() => setRead(failure)}>
          <p>
            <LoginFault failure={failure} />
          </p>
          <div className="actions actions-end">
            <button type="button" className="primary" onClick={() => setRead(failure)}>
              {t('login.tryAgain')}
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}

function LoginFault({ failure }: { failure: Error }) {
  const { t } = useTranslation();
  const isLocked = failure instanceof ApiError && failure.code === 'account.locked';
  return (
    <>
      {errorText(failure, t)} {isLocked && <Link to="/account/reset/request">{t('login.lockedLink')}</Link>}
    </>
  );
}
