import { loginValidation } from '@lavra/api';
import { isDocumentIdentifier, isEmail } from '@lavra/domain';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { callApi } from '../../lib/api-client.ts';
import { errorText } from '../../shell/error-text.ts';
import { Notice, Page } from '../../shell/page.tsx';
import { TextField } from '../../ui/field.tsx';
import { LocalVerification } from './local-verification.tsx';

export function Component() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const state = (useLocation().state ?? {}) as { message?: string };
  const [documentId, setDocumentId] = useState(useSearchParams()[0].get('docId') ?? '');
  const [emailSigner, setEmailSigner] = useState('');
  const [tried, setTried] = useState(false);
  const [message, setMessage] = useState<string | null>(state.message ? t(state.message) : null);
  const id = documentId.trim();
  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setTried(true);
    if (!isDocumentIdentifier(id) || !isEmail(emailSigner.trim())) return;
    try {
      const { reason, ticket } = await callApi(loginValidation, { query: { documentId: id, emailSigner: emailSigner.trim() } });
      if (reason === 'Permitido' && ticket) return void navigate('/validate', { state: { documentId: id, ticket } });
      setMessage(reason);
    } catch (error) {
      setMessage(errorText(error, t));
    }
  }
  return (
    <Page title={t('verify.title')} frame="form">
      <p>{t('verify.intro')}</p>
      {message && <Notice kind="error">{message}</Notice>}
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
        <div className="actions">
          <button type="submit" className="primary">
            {t('verify.submit')}
          </button>
        </div>
      </form>
      <LocalVerification />
    </Page>
  );
}
