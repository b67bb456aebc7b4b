import { confirmAccount } from '@lavra/api';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Link, useParams, useSearchParams } from 'react-router';
import { useTranslation } from '../../lib/i18n.ts';
import { ApiError, callApi } from '../../lib/api-client.ts';
import { useAct } from '../../lib/calls.ts';
import { errorText, fieldErrorText } from '../../shell/error-text.ts';
import { Notice, Page } from '../../shell/page.tsx';
import { PasswordField } from '../../ui/field.tsx';
import { TakeOverForm } from './take-over-form.tsx';
import { Loading } from '../../ui/states.tsx';

type State = 'asking' | 'proof' | 'takeOver' | 'active' | { failure: unknown };

/**
 * The link of the activation mail. In the browser that registered the key is enough; elsewhere, where whoever registered may
 * have been somebody else, it takes the password chosen then, or a new one.
 */
export function Component() {
  const { t } = useTranslation();
  const [search] = useSearchParams();
  const params = useParams();
  const key = search.get('key') ?? params['key'] ?? '';
  const [state, setState] = useState<State>('asking');
  const asked = useRef(false);

  useEffect(() => {
    // The key works once: it is tried once.
    if (asked.current) return;
    asked.current = true;
    callApi(confirmAccount, { body: { key } }).then(
      () => setState('active'),
      (error: unknown) => setState(error instanceof ApiError && error.code === 'account.proofRequired' ? 'proof' : { failure: error }),
    );
  }, [key]);

  const failed = (error: unknown) => setState({ failure: error });
  return (
    <Page title={t('activate.title')} frame="form">
      {state === 'asking' && <Loading rows={1} />}
      {state === 'proof' && (
        <ProofForm activationKey={key} onActive={() => setState('active')} onFailed={failed} onTakeOver={() => setState('takeOver')} />
      )}
      {state === 'takeOver' && (
        <TakeOverForm activationKey={key} onActive={() => setState('active')} onFailed={failed} onBack={() => setState('proof')} />
      )}
      {state === 'active' && <Outcome kind="success" text={t('activate.success')} to="/login" label={t('login.title')} />}
      {typeof state === 'object' && (
        <Outcome kind="error" text={failureText(state.failure)} to="/account/register" label={t('word.register')} />
      )}
    </Page>
  );

  function failureText(error: unknown): string {
    return error instanceof ApiError && error.code !== 'account.keyInvalid' ? errorText(error, t) : t('activate.failure');
  }
}

function Outcome({ kind, text, to, label }: { kind: 'success' | 'error'; text: string; to: string; label: string }) {
  return (
    <>
      <Notice kind={kind}>{text}</Notice>
      <p>
        <Link to={to}>{label}</Link>
      </p>
    </>
  );
}

function ProofForm({
  activationKey,
  onActive,
  onFailed,
  onTakeOver,
}: {
  activationKey: string;
  onActive(): void;
  onFailed(error: unknown): void;
  onTakeOver(): void;
}) {
  const { t } = useTranslation();
  const [password, setPassword] = useState('');
  const [tried, setTried] = useState(false);
  const { act, busy, failure, forget } = useAct(confirmAccount);
  const fault = tried && password === '' ? t('login.empty') : fieldErrorText(failure, 'password', t);
  useEffect(() => {
    if (failure instanceof ApiError && failure.code === 'account.keyInvalid') onFailed(failure);
  }, [failure]);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setTried(true);
    forget();
    if (password === '') return;
    if (await act({ body: { key: activationKey, password } })) onActive();
  }

  return (
    <form onSubmit={submit} noValidate>
      <p>{t('activate.proof')}</p>
      {failure !== null && !fault && <Notice kind="error">{errorText(failure, t)}</Notice>}
      <PasswordField
        label={t('activate.registeredPassword')}
        autoComplete="current-password"
        value={password}
        onChange={setPassword}
        error={fault}
        showLabel={t('password.show')}
        hideLabel={t('password.hide')}
      />
      <div className="actions">
        <button type="submit" className="primary" disabled={busy}>
          {t('activate.confirm')}
        </button>
        <button type="button" onClick={onTakeOver}>
          {t('activate.notMe')}
        </button>
      </div>
      <p className="hint">{t('activate.ignore')}</p>
    </form>
  );
}
