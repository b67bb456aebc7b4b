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
  async function send(): Promise<void> {
    if (cause.trim() === '') return setError(t('signer.rejectCauseRequired'));
    try {
      await callApi(createSignatureRejected, { body: { rejectCause: cause, processId, signerId } });
      onDone();
    } catch (failure) {
      setError(errorText(failure, t));
    }
  }
  return (
    <Dialog title={t('signer.reject')} closeLabel={t('dialog.close')} onClose={onClose}>
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
            onChange={(event) => setCause(event.target.value.slice(0, limits.rejectCauseMax))}
          />
        )}
      </Field>
      <div className="actions actions-end">
        <button type="button" onClick={onClose}>
          {t('prepare.cancel')}
        </button>
        <button type="button" className="danger" onClick={() => void send()}>
          {t('reject.send')}
        </button>
      </div>
    </Dialog>
  );
}
