import { getSecondFactors, type Passkey, renamePasskey } from '@lavra/api';
import { type FormEvent, useState } from 'react';
import { useTranslation } from '../../../lib/i18n.ts';
import { useAct } from '../../../lib/calls.ts';
import { formatDateTime } from '../../../lib/format.ts';
import { fieldErrorText } from '../../../shell/error-text.ts';
import { TextField } from '../../../ui/field.tsx';

/** One passkey: its name, which its holder may change, its last use, and a way to remove it. */
export function PasskeyRow({ passkey, onRemove }: { passkey: Passkey; onRemove(): void }) {
  const { t } = useTranslation();
  const [name, setName] = useState<string | null>(null);
  const { act, busy, failure } = useAct(renamePasskey, [getSecondFactors]);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (name !== null && (await act({ params: { id: passkey.id }, body: { name } }))) setName(null);
  }

  if (name !== null)
    return (
      <li>
        <form onSubmit={submit} noValidate>
          <TextField
            label={t('passkey.nameLabel')}
            autoFocus
            maxLength={50}
            value={name}
            onChange={setName}
            error={fieldErrorText(failure, 'name', t)}
          />
          <div className="actions">
            <button type="submit" className="primary" disabled={busy}>
              {t('settings.save')}
            </button>
            <button type="button" onClick={() => setName(null)}>
              {t('factor.cancel')}
            </button>
          </div>
        </form>
      </li>
    );
  return (
    <li className="list-wide">
      <span className="told">
        <strong>{passkey.name}</strong>
        <span className="hint">
          {passkey.lastUsedDate ? t('factor.lastUsed', { at: formatDateTime(passkey.lastUsedDate) }) : t('factor.neverUsed')}
        </span>
      </span>
      <button type="button" onClick={() => setName(passkey.name)} aria-label={t('passkey.renameOne', { name: passkey.name })}>
        {t('passkey.rename')}
      </button>
      <button type="button" onClick={onRemove} aria-label={t('factor.removeOne', { name: passkey.name })}>
        {t('factor.remove')}
      </button>
    </li>
  );
}
