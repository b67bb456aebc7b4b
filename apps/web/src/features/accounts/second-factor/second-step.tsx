import { finishSignIn, type PasskeyAnswer, type SecondFactorKind, type SecondStep } from '@lavra/api';
import { type FormEvent, useState } from 'react';
import { useTranslation } from '../../../lib/i18n.ts';
import { useAct } from '../../../lib/calls.ts';
import { keepToken } from '../../../lib/session.ts';
import { errorText } from '../../../shell/error-text.ts';
import { Notice } from '../../../shell/page.tsx';
import { TextField } from '../../../ui/field.tsx';
import { askBrowser } from './browser-passkeys.ts';
import { knowsPasskeys } from './knows-passkeys.ts';
import { CodeField } from './code-field.tsx';
import { usePasskey } from './use-passkey.ts';

export interface SecondStepProps {
  step: SecondStep;
  /** As the first step asked: whether the session is to be remembered. */
  remember: boolean;
  /** To the first step again. */
  onBack(): void;
}

/** The second step of a sign-in: a passkey, an app's code or a backup code, whichever the account has. */
export function SecondStepForm({ step, remember, onBack }: SecondStepProps) {
  const { t } = useTranslation();
  const usable = step.methods.filter((one) => one !== 'passkey' || knowsPasskeys());
  const [method, setMethod] = useState<SecondFactorKind | undefined>(usable[0]);
  const { act, busy, failure, forget } = useAct(finishSignIn);
  const passkey = usePasskey();

  async function show(shown: { code?: string; backupCode?: string; passkey?: PasskeyAnswer }): Promise<void> {
    const opened = await act({ body: { challenge: step.challenge, ...shown } });
    if (opened) keepToken(opened.reply.id_token, remember);
  }
  async function showPasskey(): Promise<void> {
    forget();
    const made = step.passkey && (await passkey.wait(askBrowser(step.passkey)));
    if (made) await show({ passkey: made });
  }
  function choose(next: SecondFactorKind): void {
    forget();
    passkey.forget();
    setMethod(next);
  }

  return (
    <section>
      <p>{t('secondStep.text')}</p>
      {(failure !== null || passkey.fault !== null) && (
        <Notice kind="error">{passkey.fault === null ? errorText(failure, t) : t(passkey.fault)}</Notice>
      )}
      {method === undefined && <Notice kind="warning">{t('secondStep.none')}</Notice>}
      {method === 'passkey' && (
        <div className="actions">
          <button type="button" className="primary" disabled={busy || passkey.busy} onClick={() => void showPasskey()}>
            {t('secondStep.passkey')}
          </button>
        </div>
      )}
      {method === 'totp' && <CodeForm key="totp" busy={busy} onCode={(code) => void show({ code })} />}
      {method === 'backupCode' && <BackupCodeForm key="backup" busy={busy} onCode={(backupCode) => void show({ backupCode })} />}
      <div className="actions">
        {usable
          .filter((one) => one !== method)
          .map((one) => (
            <button key={one} type="button" onClick={() => choose(one)}>
              {t(`secondStep.instead.${one}`)}
            </button>
          ))}
        <button type="button" onClick={onBack}>
          {t('secondStep.back')}
        </button>
      </div>
      <p className="hint">{t('secondStep.lost')}</p>
    </section>
  );
}

function CodeForm({ busy, onCode }: { busy: boolean; onCode(code: string): void }) {
  const { t } = useTranslation();
  const [code, setCode] = useState('');
  const [tried, setTried] = useState(false);
  function submit(event: FormEvent): void {
    event.preventDefault();
    setTried(true);
    if (code.length === 6) onCode(code);
  }
  return (
    <form onSubmit={submit} noValidate>
      <CodeField autoFocus value={code} onChange={setCode} error={tried && code.length < 6 ? t('factor.codeShort') : undefined} />
      <div className="actions">
        <button type="submit" className="primary" disabled={busy}>
          {t('secondStep.submit')}
        </button>
      </div>
    </form>
  );
}

function BackupCodeForm({ busy, onCode }: { busy: boolean; onCode(code: string): void }) {
  const { t } = useTranslation();
  const [code, setCode] = useState('');
  const [tried, setTried] = useState(false);
  function submit(event: FormEvent): void {
    event.preventDefault();
    setTried(true);
    if (code.trim() !== '') onCode(code);
  }
  return (
    <form onSubmit={submit} noValidate>
      <TextField
        label={t('factor.backupCode')}
        hint={t('factor.backupCodeHint')}
        autoFocus
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={40}
        value={code}
        onChange={setCode}
        error={tried && code.trim() === '' ? t('login.empty') : undefined}
      />
      <div className="actions">
        <button type="submit" className="primary" disabled={busy}>
          {t('secondStep.submit')}
        </button>
      </div>
    </form>
  );
}
