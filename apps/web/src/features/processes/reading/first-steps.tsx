import { useRef, useState } from 'react';
import { useTranslation } from '../../../lib/i18n.ts';
import { useAccount } from '../../../lib/account.ts';
import { errorText } from '../../../shell/error-text.ts';
import { Notice } from '../../../shell/page.tsx';

/** What a list without anything in it says: how the first process goes, and one to try it on oneself. */
export function FirstSteps() {
  const { t } = useTranslation();
  return (
    <div className="first-steps">
      <p className="muted">{t('home.empty')}</p>
      <h2>{t('first.title')}</h2>
      <ol>
        {[1, 2, 3].map((step) => (
          <li key={step}>
            <strong>{t(`first.step${step}`)}</strong>
            <span>{t(`first.step${step}Text`)}</span>
          </li>
        ))}
      </ol>
      <Example />
    </div>
  );
}

function Example() {
  const { t } = useTranslation();
  const { data: account } = useAccount();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  // One for as long as the page is open: what was begun is gone on with.
  const key = useRef(crypto.randomUUID());
  if (!account) return null;
  const begin = async () => {
    setBusy(true);
    setFailure(null);
    try {
      // Most who see the list never ask for it.
      const { beginExample } = await import('./begin-example.ts');
      window.location.assign(await beginExample(account, t('example.title'), key.current));
    } catch (error) {
      setBusy(false);
      setFailure(error);
    }
  };
  return (
    <div className="first-example">
      <p>{t('first.example')}</p>
      <button type="button" aria-busy={busy} disabled={busy} onClick={() => void begin()}>
        {t(busy ? 'first.beginning' : 'first.begin')}
      </button>
      {failure !== null && <Notice kind="error">{t('first.failed', { reason: errorText(failure as Error, t) })}</Notice>}
    </div>
  );
}
