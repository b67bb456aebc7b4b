import { createSignatureRejected } from '@lavra/api';
import { limits } from '@lavra/domain';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { callApi } from '../../lib/api-client.ts';
import { errorText } from '../../shell/error-text.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';

/** Refusal with a justification of at most 500 characters; what is typed beyond is ignored. */
export function RejectDialog({
  processId,
  signerId,
  onClose,
  onDone,
}: {
  processId: string;
  signerId: string;
  onClose(): void;
  onDone(): void;
}) {
  const { t } = useTranslation();
  const [cause, setCause] = useState('');
  const [error, setError] = useState<string | undefined>();
  const [busy, setBusy] = useState(false);
  async function send(): Promise<void> {
    if (cause.trim() === '') return setError(t('signer.rejectCauseRequired'));
    setBusy(true);
    try {
      await callApi(createSignatureRejected, { body: { rejectCause: cause, processId, signerId } });
      onDone();
    } catch (failure) {
      setError(errorText(failure, t));
      setBusy(false);
    }
  }
  return (
    <Dialog title={t('signer.reject')} closeLabel={t('dialog.close')} busy={busy} onClose={onClose}>
      <p>{t('reject.text')}</p>
      <Field label={t('reject.cause')} error={error} hint={`${cause.length}/${limits.rejectCauseMax}`}>
        {({ id, describedBy }) => (
          <textarea
            id={id}
            rows={5}
            aria-describedby={describedBy}
            aria-invalid={error ? true : undefined}
            maxLength={limits.rejectCauseMax}
            value={cause}
            onChange={(event) => {
              setError(undefined);
              setCause(event.target.value.slice(0, limits.rejectCauseMax));
            }}
          />
        )}
      </Field>
      <div className="actions actions-end">
        <button type="button" disabled={busy} onClick={onClose}>
          {t('prepare.cancel')}
        </button>
        <button type="button" className="danger" disabled={busy} onClick={() => void send()}>
          {t('reject.send')}
        </button>
      </div>
    </Dialog>
  );
}
