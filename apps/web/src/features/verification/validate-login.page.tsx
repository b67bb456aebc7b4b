import { loginValidation } from '@lavra/api';
import { isDocumentIdentifier, isEmail } from '@lavra/domain';
import { type FormEvent, useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { useTranslation } from '../../lib/i18n.ts';
import { callApi } from '../../lib/api-client.ts';
import { errorText } from '../../shell/error-text.ts';
import { Notice, Page } from '../../shell/page.tsx';
import { TextField } from '../../ui/field.tsx';
import { FileResult } from './file-result.tsx';
import { ChooseFile, useLocalVerification } from './local-verification.tsx';

export function Component() {
  const { t } = useTranslation();
  const local = useLocalVerification();
  return (
    <Page title={t('verify.title')}>
      <div className="two-ways">
        <ByIdentifier />
        <ChooseFile local={local} />
      </div>
      {local.state.step === 'done' && <FileResult verified={local.state.verified} />}
    </Page>
  );
}

/** A document of this installation, by what stands on its paper and the e-mail of somebody who signed it. */
function ByIdentifier() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const state = (useLocation().state ?? {}) as { message?: string };
  // From the QR code on the paper.
  const prefilled = useSearchParams()[0].get('docId') ?? '';
  const [documentId, setDocumentId] = useState(prefilled);
  const [emailSigner, setEmailSigner] = useState('');
  const [tried, setTried] = useState(false);
  const [message, setMessage] = useState<string | null>(state.message ? t(state.message) : null);
  const [busy, setBusy] = useState(false);
  const id = documentId.trim();
  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setTried(true);
    if (!isDocumentIdentifier(id) || !isEmail(emailSigner.trim())) return;
    setMessage(null);
    setBusy(true);
    try {
      const { reason, ticket } = await callApi(loginValidation, { query: { documentId: id, emailSigner: emailSigner.trim() } });
      if (reason === 'Permitido' && ticket) return void navigate('/validate', { state: { documentId: id, ticket } });
      setMessage(reason);
    } catch (error) {
      setMessage(errorText(error, t));
    } finally {
      setBusy(false);
    }
  }
  return (
    <section className="card">
      <h2>{t('verify.byIdentifier')}</h2>
      <p>{t(prefilled === '' ? 'verify.intro' : 'verify.introPrefilled')}</p>
      <form onSubmit={submit} noValidate>
        <TextField
          label={t('verify.identifier')}
          value={documentId}
          onChange={setDocumentId}
          autoComplete="off"
          spellCheck={false}
          error={tried && !isDocumentIdentifier(id) ? t('verification.identifierInvalid') : undefined}
          hint={t('verify.identifierHint')}
        />
        <TextField
          label={t('verify.email')}
          type="email"
          value={emailSigner}
          onChange={setEmailSigner}
          error={tried && !isEmail(emailSigner.trim()) ? t('account.emailInvalid') : undefined}
        />
        {message && <Notice kind="error">{message}</Notice>}
        <div className="actions">
          <button type="submit" className="primary" disabled={busy} aria-busy={busy}>
            {t('verify.submit')}
          </button>
        </div>
      </form>
    </section>
  );
}
