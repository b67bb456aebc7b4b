import { askLinkCode, confirmLinkCode } from '@lavra/api';
import { type FormEvent, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useTranslation } from '../../lib/i18n.ts';
import { useAct } from '../../lib/calls.ts';
import { errorText } from '../../shell/error-text.ts';
import { Notice } from '../../shell/page.tsx';
import { TextField } from '../../ui/field.tsx';

interface Props {
  user: string;
  email: string;
  creator: string;
  title: string;
}

/** In front of a link that the sender handed over: a code that goes to the signer, and then a link that is theirs alone. */
export function LinkCode({ user, email, creator, title }: Props) {
  const { t } = useTranslation();
  const [, setSearch] = useSearchParams();
  const [isSent, setSent] = useState(false);
  const [code, setCode] = useState('');
  const asking = useAct(askLinkCode);
  const confirming = useAct(confirmLinkCode);
  const failure = confirming.failure ?? asking.failure;
  const send = async () => {
    confirming.forget();
    if (await asking.act({ params: { signerId: user } })) setSent(true);
  };
  const open = async (event: FormEvent) => {
    event.preventDefault();
    asking.forget();
    const done = await confirming.act({ params: { signerId: user }, body: { code } });
    if (done) setSearch({ user: done.reply.user }, { replace: true });
  };
  return (
    <section className="card">
      <h2>{t('signer.code.title')}</h2>
      <p>{t('signer.code.text', { creator, title, email })}</p>
      {isSent && <Notice kind="success">{t('signer.code.sent', { email })}</Notice>}
      {isSent && (
        <form noValidate onSubmit={(event) => void open(event)}>
          <TextField
            label={t('signer.code.label')}
            value={code}
            onChange={(text) => setCode(text.replace(/\D/g, '').slice(0, 6))}
            inputMode="numeric"
            autoComplete="one-time-code"
          />
          {failure && <Notice kind="error">{errorText(failure, t)}</Notice>}
          <div className="actions">
            <button type="submit" className="primary" disabled={confirming.busy || code.length < 6}>
              {t('signer.code.open')}
            </button>
            <button type="button" className="quiet" disabled={asking.busy} onClick={() => void send()}>
              {t('signer.code.again')}
            </button>
          </div>
        </form>
      )}
      {!isSent && failure && <Notice kind="error">{errorText(failure, t)}</Notice>}
      {!isSent && (
        <button type="button" className="primary" disabled={asking.busy} aria-busy={asking.busy} onClick={() => void send()}>
          {t('signer.code.send')}
        </button>
      )}
    </section>
  );
}
