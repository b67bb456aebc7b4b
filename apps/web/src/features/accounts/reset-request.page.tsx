import { requestPasswordReset } from '@lavra/api';
import { isEmail, limits } from '@lavra/domain';
import { type FormEvent, useState } from 'react';
import { useTranslation } from '../../lib/i18n.ts';
import { useAct } from '../../lib/calls.ts';
import { errorText } from '../../shell/error-text.ts';
import { useLeaveSuccess } from '../../shell/leave-success.ts';
import { Notice, Page } from '../../shell/page.tsx';
import { TextField } from '../../ui/field.tsx';

export function Component() {
  const { t } = useTranslation();
  const { leaveAfter, leaving } = useLeaveSuccess();
  const [email, setEmail] = useState('');
  const [tried, setTried] = useState(false);
  const { act, busy, failure } = useAct(requestPasswordReset);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setTried(true);
    if (!isEmail(email.trim())) return;
    await leaveAfter(act({ body: { email: email.trim() } }), '/', 'reset.sent');
  }

  return (
    <Page title={t('reset.title')} frame="form">
      <form onSubmit={submit} noValidate>
        {failure !== null && <Notice kind="error">{errorText(failure, t)}</Notice>}
        <TextField
          label={t('word.email')}
          type="email"
          autoComplete="email"
          maxLength={limits.emailMax}
          value={email}
          onChange={setEmail}
          error={tried && !isEmail(email.trim()) ? t('account.emailInvalid') : undefined}
        />
        <div className="actions">
          <button type="submit" className="primary" disabled={busy || leaving}>
            {t('reset.submit')}
          </button>
        </div>
      </form>
    </Page>
  );
}
