import {
  type EntityItem,
  getCounterInfos,
  getProcessesInfos,
  signatureProcesses,
  signatures,
  signers,
  startSignatureProcess,
} from '@lavra/api';
import { useState } from 'react';
import { useAct } from '../../lib/calls.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { errorText } from '../../shell/error-text.ts';
import { Notice } from '../../shell/page.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { showToast } from '../../ui/toasts.ts';

/** What a start changes: the process, whom it calls, and what is listed of it. */
const changes = [signatureProcesses, signers, signatures].flatMap(({ list, search, get }) => [list, search, get]);

/** A draft's way to its signers: asked once more, because what was sent is changed by nobody. */
export function SendDraft({ item: { id, title, status } }: { item: EntityItem<typeof signatureProcesses> }) {
  const { t } = useTranslation();
  const [asks, setAsks] = useState(false);
  const { act, busy, failure, forget } = useAct(startSignatureProcess, [...changes, getProcessesInfos, getCounterInfos]);
  const close = () => {
    forget();
    setAsks(false);
  };
  const send = async () => {
    if (!(await act({ params: { id } }))) return;
    setAsks(false);
    showToast({ text: t('processEntity.sent') });
  };
  return (
    <>
      {status === 'DRAFT' && (
        <Notice>
          <p>{t('processEntity.unsent')}</p>
          <button type="button" onClick={() => setAsks(true)}>
            {t('processEntity.send')}
          </button>
        </Notice>
      )}
      {asks && (
        <Dialog title={t('processEntity.send')} closeLabel={t('dialog.close')} busy={busy} onClose={close}>
          {failure !== null && <Notice kind="error">{errorText(failure, t)}</Notice>}
          <p>{t('processEntity.sendQuestion', { title })}</p>
          <div className="actions actions-end">
            <button type="button" disabled={busy} onClick={close}>
              {t('entity.cancel')}
            </button>
            <button type="button" className="primary" disabled={busy} aria-busy={busy} onClick={() => void send()}>
              {t('processEntity.send')}
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}
