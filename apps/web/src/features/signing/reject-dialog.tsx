import { createSignatureRejected } from '@lavra/api';
import { limits } from '@lavra/domain';
import { useRef, useState } from 'react';
import { useTranslation } from '../../lib/i18n.ts';
import { useAct } from '../../lib/calls.ts';
import { errorText } from '../../shell/error-text.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { ActFoot } from './act-foot.tsx';
import { Field } from '../../ui/field.tsx';

interface RejectDialogProps {
  processId: string;
  signerId: string;
  /** Asks for the status now: an answer may be lost, and the refusal not. */
  onRefresh(): Promise<unknown>;
  onClose(): void;
  onDone(): void;
}

/** Refusal with a justification of at most 500 characters; what is typed beyond is ignored. */
export function RejectDialog({ processId, signerId, onRefresh, onClose, onDone }: RejectDialogProps) {
  const { t } = useTranslation();
  const [cause, setCause] = useState('');
  const [isMissing, setMissing] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const { act, busy, failure, forget } = useAct(createSignatureRejected);
  const refused = failure === null ? undefined : errorText(failure, t);
  const error = isMissing ? t('signer.rejectCauseRequired') : undefined;
  async function send(): Promise<void> {
    if (cause.trim() === '') {
      setMissing(true);
      field.current?.focus();
      return;
    }
    if (await act({ body: { rejectCause: cause, processId, signerId } })) onDone();
    else void onRefresh();
  }
  return (
    <Dialog title={t('signer.reject')} closeLabel={t('dialog.close')} busy={busy} onClose={onClose}>
      <p>{t('reject.text')}</p>
      <Field label={t('reject.cause')} error={error} hint={`${cause.length}/${limits.rejectCauseMax}`}>
        {({ id, describedBy }) => (
          <textarea
            ref={field}
            id={id}
            rows={5}
            aria-describedby={describedBy}
            aria-invalid={error ? true : undefined}
            maxLength={limits.rejectCauseMax}
            value={cause}
            onChange={(event) => {
              setMissing(false);
              // Not while it is on its way: it would look as if it were not.
              if (failure !== null) forget();
              setCause(event.target.value.slice(0, limits.rejectCauseMax));
            }}
          />
        )}
      </Field>
      <ActFoot fault={refused}>
        <button type="button" disabled={busy} onClick={onClose}>
          {t('word.cancel')}
        </button>
        <button type="button" className="danger" disabled={busy} onClick={() => void send()}>
          {t('reject.send')}
        </button>
      </ActFoot>
    </Dialog>
  );
}
