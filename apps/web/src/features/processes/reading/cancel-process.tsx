import { cancelProcess, getCounterInfos, getProcessesInfos, getProcessStory, getSubDataProcess } from '@lavra/api';
import { limits } from '@lavra/domain';
import { useState } from 'react';
import { useTranslation } from '../../../lib/i18n.ts';
import { useAct, useReadAnew } from '../../../lib/calls.ts';
import { errorText } from '../../../shell/error-text.ts';
import { Notice } from '../../../shell/page.tsx';
import { Dialog } from '../../../ui/dialog.tsx';

interface CancelProcessProps {
  id: string;
  title: string;
  /** The button goes with it; what is being told, by a page that was told at once, stays. */
  can: boolean;
}

/** The owner's way to end a process: asked once more, told when it is done, and then the list is read anew. */
export function CancelProcess({ id, title, can }: CancelProcessProps) {
  const { t } = useTranslation();
  const [state, setState] = useState<'idle' | 'asking' | 'done'>('idle');
  const { act, busy, failure, forget } = useAct(cancelProcess);
  const readAnew = useReadAnew();
  async function cancel(): Promise<void> {
    if (!(await act({ params: { id } }))) return;
    setState('done');
    setTimeout(() => {
      setState('idle');
      // Not before: this button goes with what is read.
      void readAnew(getProcessesInfos, getCounterInfos, getSubDataProcess, getProcessStory);
    }, limits.successPopupMs + limits.successRedirectMs);
  }
  function close(): void {
    forget();
    setState('idle');
  }
  return (
    <>
      {can && (
        <button type="button" className="danger" onClick={() => setState('asking')}>
          {t('home.cancel')}
        </button>
      )}
      {state === 'asking' && (
        <Dialog title={t('home.cancelTitle')} closeLabel={t('dialog.close')} busy={busy} onClose={close}>
          {failure !== null && (
            <Notice kind="error">
              <strong>{t('home.cancelFailed')}</strong> {errorText(failure, t)}
            </Notice>
          )}
          <p>{t('home.cancelQuestion', { title })}</p>
          <div className="actions actions-end">
            <button type="button" disabled={busy} onClick={close}>
              {t('home.keep')}
            </button>
            <button type="button" className="danger" disabled={busy} onClick={() => void cancel()}>
              {t('home.cancel')}
            </button>
          </div>
        </Dialog>
      )}
      {state === 'done' && (
        <Dialog title={t('home.canceled')} closeLabel={t('dialog.close')} onClose={close}>
          <p>{t('home.canceledText')}</p>
        </Dialog>
      )}
    </>
  );
}
