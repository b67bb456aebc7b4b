import type { beginTotp, Reply } from '@lavra/api';
import { type FormEvent, useState } from 'react';
import { useTranslation } from '../../../lib/i18n.ts';
import { errorText } from '../../../shell/error-text.ts';
import { CodeField } from './code-field.tsx';

interface TotpSetupProps {
  totp: Reply<typeof beginTotp>;
  busy: boolean;
  failure: Error | null;
  onCode(code: string): void;
  onBack(): void;
}

/** A picture for the app to read, the same as text, and the app's first code. */
export function TotpSetup({ totp, busy, failure, onCode, onBack }: TotpSetupProps) {
  const { t } = useTranslation();
  const [code, setCode] = useState('');
  const [tried, setTried] = useState(false);
  const fault = tried && code.length < 6 ? t('factor.codeShort') : failure ? errorText(failure, t) : undefined;

  function submit(event: FormEvent): void {
    event.preventDefault();
    setTried(true);
    if (code.length === 6) onCode(code);
  }

  return (
    <form onSubmit={submit} noValidate>
      <ol className="totp-steps">
        <li>{t('factor.totpInstall')}</li>
        <li>
          {t('factor.totpScan')}
          <img className="totp-picture" src={totp.picture} alt={t('factor.totpPicture')} width="232" height="232" />
          <details>
            <summary>{t('factor.totpByHand')}</summary>
            <code className="totp-secret">{totp.secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}</code>
          </details>
        </li>
        <li>{t('factor.totpType')}</li>
      </ol>
      <CodeField value={code} onChange={setCode} error={fault} />
      <div className="actions">
        <button type="submit" className="primary" disabled={busy}>
          {t('factor.confirm')}
        </button>
        <button type="button" onClick={onBack}>
          {t('factor.cancel')}
        </button>
      </div>
    </form>
  );
}
