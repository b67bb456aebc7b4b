import { type AdministeredUser, erasePersonalData, exportPersonalData, users } from '@lavra/api';
import { useState } from 'react';
import { useTranslation } from '../../lib/i18n.ts';
import { callAddress, saveFile } from '../../lib/api-client.ts';
import { useAct } from '../../lib/calls.ts';
import { errorText } from '../../shell/error-text.ts';
import { Notice } from '../../shell/page.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { showToast } from '../../ui/toasts.ts';

interface Props {
  user: AdministeredUser;
  onChange(): void;
}

/** What the law lets this person ask of the installation: their data as a file, and that they are erased. */
export function PersonalDataPart({ user, onChange }: Props) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const [erasing, setErasing] = useState(false);
  const take = async () => {
    setFailure(null);
    setBusy(true);
    await saveFile(callAddress(exportPersonalData, { id: user.id }, {}), 'dados-pessoais.zip').catch(setFailure);
    setBusy(false);
  };
  return (
    <section className="card" aria-labelledby="personal-data">
      <h2 id="personal-data" className="small">
        {t('users.personalData')}
      </h2>
      <p>{t('users.personalData.about')}</p>
      {failure !== null && <Notice kind="error">{errorText(failure, t)}</Notice>}
      <div className="user-acts">
        <button type="button" disabled={busy} aria-busy={busy} onClick={() => void take()}>
          {t(busy ? 'users.export.busy' : 'users.export')}
        </button>
        <button type="button" className="danger" onClick={() => setErasing(true)}>
          {t('users.erase')}
        </button>
      </div>
      {erasing && <ErasureDialog user={user} onClose={() => setErasing(false)} onDone={onChange} />}
    </section>
  );
}

/** Asked with the account's address, typed: nothing gives the data back. */
function ErasureDialog({ user, onClose, onDone }: { user: AdministeredUser; onClose(): void; onDone(): void }) {
  const { t } = useTranslation();
  const [email, setEmail] = useState('');
  const { act, busy, failure } = useAct(erasePersonalData, [users.list, users.search]);
  const isConfirmed = email.trim().toLowerCase() === user.email;
  const erase = async () => {
    if (!(await act({ params: { id: user.id }, body: { email } }))) return;
    onClose();
    onDone();
    showToast({ text: t('users.erase.done') });
  };
  return (
    <Dialog title={t('users.erase')} closeLabel={t('dialog.close')} busy={busy} onClose={onClose}>
      {failure !== null && <Notice kind="error">{errorText(failure, t)}</Notice>}
      <p>{t('users.erase.question', { email: user.email })}</p>
      <p>{t('users.erase.stays')}</p>
      <TextField label={t('users.erase.confirm')} type="email" value={email} onChange={setEmail} autoComplete="off" />
      <div className="actions actions-end">
        <button type="button" disabled={busy} onClick={onClose}>
          {t('entity.cancel')}
        </button>
        <button type="button" className="danger" disabled={busy || !isConfirmed} aria-busy={busy} onClick={() => void erase()}>
          {t('users.erase')}
        </button>
      </div>
    </Dialog>
  );
}
