import { registerSocial } from '@lavra/api';
import { limits } from '@lavra/domain';
import { useEffect, useState } from 'react';
import { Navigate, useLocation } from 'react-router';
import { useTranslation } from '../../../lib/i18n.ts';
import { ApiError } from '../../../lib/api-client.ts';
import { useAct } from '../../../lib/calls.ts';
import type { Locale } from '../../../lib/i18n.ts';
import { keepToken } from '../../../lib/session.ts';
import { codeText, errorText } from '../../../shell/error-text.ts';
import { Notice } from '../../../shell/page.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { TextField } from '../../../ui/field.tsx';
import { entered, type Registration, type SignInOutcome } from './sign-in-channel.ts';

/** What becomes of a sign-in at a provider: in after a moment, a question, or why not. */
export function SocialOutcome({ outcome, settle }: { outcome: SignInOutcome; settle(next: SignInOutcome | null): void }) {
  const { t } = useTranslation();
  const { state } = useLocation();
  if (outcome.kind === 'refused') return <Notice kind="error">{codeText(outcome.code, t)}</Notice>;
  // The page of the first step asks the second one, wherever it was begun; it brings back to where one was.
  if (outcome.kind === 'awaited') return <Navigate to="/login" replace state={{ ...(state as object | null), awaited: outcome.awaited }} />;
  if (outcome.kind === 'entered') return <Entering outcome={outcome} />;
  return <NewAccount registration={outcome.registration} settle={settle} />;
}

/** Section 9: the redirect waits a second, so that it can be read why the page changes. */
function Entering({ outcome: { token, remember } }: { outcome: Extract<SignInOutcome, { kind: 'entered' }> }) {
  const { t } = useTranslation();
  useEffect(() => {
    const timer = setTimeout(() => keepToken(token, remember), limits.socialRedirectDelayMs);
    return () => clearTimeout(timer);
  }, [token, remember]);
  return <Notice kind="success">{t('social.entered')}</Notice>;
}

/** Nobody gets an account by pressing a provider's button alone: it is asked for. */
function NewAccount({ registration, settle }: { registration: Registration; settle(next: SignInOutcome | null): void }) {
  const { t, i18n } = useTranslation();
  const [firstKey, setFirstKey] = useState('');
  const { act, busy, failure } = useAct(registerSocial);
  const { uid, email, name, provider } = registration;
  const needsKey = failure instanceof ApiError && failure.code.startsWith('account.firstKey');

  async function create(): Promise<void> {
    const key = firstKey.trim() === '' ? {} : { firstKey: firstKey.trim() };
    const made = await act({ body: { username: email, uid, email, locale: i18n.language as Locale, ...key } });
    if (made) settle(entered(made.reply));
  }

  return (
    <Dialog title={t('social.newTitle')} closeLabel={t('social.notNow')} onClose={() => settle(null)} busy={busy}>
      <p>{t('social.newText', { provider, email, name: name === '' ? email : name })}</p>
      {failure !== null && <Notice kind="error">{errorText(failure, t)}</Notice>}
      {needsKey && <TextField label={t('register.firstKey')} value={firstKey} onChange={setFirstKey} autoComplete="off" />}
      <div className="actions">
        <button type="button" className="primary" disabled={busy} onClick={() => void create()}>
          {t('social.create')}
        </button>
        <button type="button" disabled={busy} onClick={() => settle(null)}>
          {t('social.notNow')}
        </button>
      </div>
    </Dialog>
  );
}
