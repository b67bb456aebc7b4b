import { erasePerson, exportPerson } from '@lavra/api';
import { type FormEvent, useState } from 'react';
import { useTranslation } from '../../lib/i18n.ts';
import { saveAskedFile } from '../../lib/api-client.ts';
import { useAct } from '../../lib/calls.ts';
import { errorText, fieldErrorText } from '../../shell/error-text.ts';
import { Notice, Page } from '../../shell/page.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { showToast } from '../../ui/toasts.ts';

/** What the law lets people ask who have no account: who signed by a link is known by an address alone. */
export function Component() {
  const { t } = useTranslation();
  const [email, setEmail] = useState('');
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const [erasing, setErasing] = useState(false);
  const isTyped = email.includes('@');
  const take = async (event: FormEvent) => {
    event.preventDefault();
    setFailure(null);
    setBusy(true);
    await saveAskedFile(exportPerson, { email }, 'dados-pessoais.zip').catch(setFailure);
    setBusy(false);
  };
  const refused = fieldErrorText(failure, 'email', t);
  return (
    <Page title={t('personalData.title')} frame="form">
      <form className="card" onSubmit={(event) => void take(event)}>
        <p>{t('personalData.about')}</p>
        <p className="hint">{t('personalData.withAccount')}</p>
        {failure !== null && refused === undefined && <Notice kind="error">{errorText(failure, t)}</Notice>}
        <TextField
          label={t('personalData.email')}
          type="email"
          value={email}
          error={refused}
          autoComplete="off"
          onChange={(typed) => {
            setFailure(null);
            setEmail(typed);
          }}
        />
        <div className="user-acts">
          <button type="submit" className="primary" disabled={busy || !isTyped} aria-busy={busy}>
            {t(busy ? 'users.export.busy' : 'users.export')}
          </button>
          <button type="button" className="danger" disabled={busy || !isTyped} onClick={() => setErasing(true)}>
            {t('users.erase')}
          </button>
        </div>
      </form>
      {erasing && <ErasureDialog email={email.trim()} onClose={() => setErasing(false)} onDone={() => setEmail('')} />}
    </Page>
  );
}

/** Asked with the address once more, typed: nothing gives the data back. */
function ErasureDialog({ email, onClose, onDone }: { email: string; onClose(): void; onDone(): void }) {
  const { t } = useTranslation();
  const [confirmed, setConfirmed] = useState('');
  const { act, busy, failure } = useAct(erasePerson, []);
  const erase = async () => {
    if ((await act({ body: { email, confirmed } })) === undefined) return;
    onClose();
    onDone();
    showToast({ text: t('users.erase.done') });
  };
  return (
    <Dialog title={t('users.erase')} closeLabel={t('dialog.close')} busy={busy} onClose={onClose}>
      {failure !== null && <Notice kind="error">{errorText(failure, t)}</Notice>}
      <p>{t('personalData.question', { email })}</p>
      <p>{t('users.erase.stays')}</p>
      <TextField label={t('personalData.confirm')} type="email" value={confirmed} onChange={setConfirmed} autoComplete="off" />
      <div className="actions actions-end">
        <button type="button" disabled={busy} onClick={onClose}>
          {t('entity.cancel')}
        </button>
        <button
          type="button"
          className="danger"
          disabled={busy || confirmed.trim().toLowerCase() !== email.toLowerCase()}
          aria-busy={busy}
          onClick={() => void erase()}
        >
          {t('users.erase')}
        </button>
      </div>
    </Dialog>
  );
}
