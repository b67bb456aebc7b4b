import { finishPasswordReset } from '@lavra/api';
import { type FormEvent, useState } from 'react';
import { useParams, useSearchParams } from 'react-router';
import { useTranslation } from '../../lib/i18n.ts';
import { useAct } from '../../lib/calls.ts';
import { errorText, fieldErrorText } from '../../shell/error-text.ts';
import { useLeaveSuccess } from '../../shell/leave-success.ts';
import { Notice, Page } from '../../shell/page.tsx';
import { newPasswordFault } from './new-password-fault.ts';
import { NewPasswordFields } from './new-password.tsx';

/** Empty when no key is present (section 2). */
export function Component() {
  const { t } = useTranslation();
  const { leaveAfter, leaving } = useLeaveSuccess();
  const [search] = useSearchParams();
  const params = useParams();
  const key = search.get('key') ?? params['key'] ?? '';
  const [password, setPassword] = useState({ password: '', repeat: '' });
  const [tried, setTried] = useState(false);
  const { act, busy, failure } = useAct(finishPasswordReset);
  const fault = fieldErrorText(failure, 'newPassword', t);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setTried(true);
    if (newPasswordFault(password)) return;
    await leaveAfter(act({ body: { key, newPassword: password.password } }), '/', 'reset.done');
  }

  if (key === '')
    return (
      <Page title={t('reset.finishTitle')} frame="form">
        {null}
      </Page>
    );
  return (
    <Page title={t('reset.finishTitle')} frame="form">
      <form onSubmit={submit} noValidate>
        {failure !== null && !fault && <Notice kind="error">{errorText(failure, t)}</Notice>}
        <NewPasswordFields value={password} onChange={setPassword} tried={tried} serverError={fault} />
        <div className="actions">
          <button type="submit" className="primary" disabled={busy || leaving}>
            {t('reset.save')}
          </button>
        </div>
      </form>
    </Page>
  );
}
