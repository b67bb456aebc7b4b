import { askPasskey, type Proof, type SecondFactors } from '@lavra/api';
import { type FormEvent, useState } from 'react';
import { useTranslation } from '../../../lib/i18n.ts';
import { useAct } from '../../../lib/calls.ts';
import { errorText } from '../../../shell/error-text.ts';
import { Notice } from '../../../shell/page.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { PasswordField } from '../../../ui/field.tsx';
import { askBrowser } from './browser-passkeys.ts';
import { knowsPasskeys } from './knows-passkeys.ts';
import { CodeField } from './code-field.tsx';
import { usePasskey } from './use-passkey.ts';

interface ProofDialogProps {
  title: string;
  factors: SecondFactors;
  /** What refused the last proof, or the act that it was for. */
  failure: Error | null;
  busy: boolean;
  onProof(proof: Proof): void;
  onClose(): void;
}

/** Who is it? Asked again before a factor is added or removed: the password, an app's code, or a passkey. */
export function ProofDialog({ title, factors, failure, busy, onProof, onClose }: ProofDialogProps) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const ask = useAct(askPasskey);
  const passkey = usePasskey();
  const fault = failure ?? ask.failure;

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (text !== '') onProof(factors.hasPassword ? { password: text } : { code: text });
  }
  async function showPasskey(): Promise<void> {
    const asked = await ask.act({});
    const answer = asked && (await passkey.wait(askBrowser(asked.reply.passkey)));
    if (asked && answer) onProof({ passkey: { challenge: asked.reply.challenge, answer } });
  }

  return (
    <Dialog title={title} closeLabel={t('factor.cancel')} onClose={onClose} busy={busy}>
      <form onSubmit={submit} noValidate>
        <p>{t('factor.proof')}</p>
        {(fault !== null || passkey.fault !== null) && (
          <Notice kind="error">{passkey.fault === null ? errorText(fault, t) : t(passkey.fault)}</Notice>
        )}
        {factors.hasPassword && (
          <PasswordField
            label={t('login.password')}
            autoComplete="current-password"
            value={text}
            onChange={setText}
            showLabel={t('password.show')}
            hideLabel={t('password.hide')}
          />
        )}
        {!factors.hasPassword && factors.totp && <CodeField value={text} onChange={setText} />}
        <div className="actions">
          {(factors.hasPassword || factors.totp) && (
            <button type="submit" className="primary" disabled={busy || text === ''}>
              {t('factor.goOn')}
            </button>
          )}
          {factors.passkeys.length > 0 && knowsPasskeys() && (
            <button type="button" disabled={busy || passkey.busy} onClick={() => void showPasskey()}>
              {t('secondStep.instead.passkey')}
            </button>
          )}
        </div>
      </form>
    </Dialog>
  );
}
