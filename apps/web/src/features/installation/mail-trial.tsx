import { type Reply, sendTestMail } from '@lavra/api';
import { useState } from 'react';
import { useTranslation } from '../../lib/i18n.ts';
import { useAct } from '../../lib/calls.ts';
import { errorText } from '../../shell/error-text.ts';
import { Notice } from '../../shell/page.tsx';
import { formatMs } from './words.ts';

/** A mail to oneself: whether the server takes it, or why not. */
export function MailTrial() {
  const { t, i18n } = useTranslation();
  const [sent, setSent] = useState<Reply<typeof sendTestMail> | null>(null);
  const { act, busy, failure } = useAct(sendTestMail);
  const send = async () => {
    setSent(null);
    const answer = await act({});
    if (answer) setSent(answer.reply);
  };
  return (
    <section className="card" aria-labelledby="mail-trial">
      <h2 id="mail-trial">{t('health.mail.title')}</h2>
      <p>{t('health.mail.about')}</p>
      {failure !== null && <Notice kind="error">{errorText(failure, t)}</Notice>}
      {sent?.isAccepted && (
        <Notice kind="success">{t('health.mail.accepted', { to: sent.to, time: formatMs(sent.ms, i18n.language) })}</Notice>
      )}
      {sent?.reason && (
        <Notice kind="error">
          {t(`health.mail.fault.${sent.reason}`, { server: sent.server ?? '' })}{' '}
          {sent.status !== null && t('health.mail.status', { status: sent.status })}
        </Notice>
      )}
      <div className="actions">
        <button type="button" disabled={busy} onClick={() => void send()}>
          {t(busy ? 'health.mail.sending' : 'health.mail.send')}
        </button>
      </div>
    </section>
  );
}
