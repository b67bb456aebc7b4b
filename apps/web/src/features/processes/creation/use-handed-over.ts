import { useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { useTranslation } from '../../../lib/i18n.ts';
import { showToast } from '../../../ui/toasts.ts';
import { handedOver, isHandedOver, type PrepareState } from './handed-state.ts';
import { createDraft } from './process-draft.ts';
import { useUploadLimit } from './use-upload-limit.ts';

/** Makes a draft of a process that the navigation hands over under the specification's names, once. True while it is being made. */
export function useHandedOver(): boolean {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const state = (useLocation().state ?? {}) as PrepareState;
  const maxBytes = useUploadLimit();
  const begun = useRef(false);
  const isWaiting = isHandedOver(state);
  useEffect(() => {
    if (!isWaiting || begun.current) return;
    begun.current = true;
    const { files, content, refused, peopleLeftOut } = handedOver(state, maxBytes);
    void createDraft(files, () => content).then((draftId) => {
      if (peopleLeftOut > 0) showToast({ text: t('prepare.peopleLeftOut', { count: peopleLeftOut }) });
      return navigate('/prepare', { replace: true, state: { draftId, action: state.action, refused } });
    });
  }, [isWaiting]);
  return isWaiting;
}
