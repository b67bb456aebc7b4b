import { getCounterInfos, getProcessesInfos } from '@lavra/api';
import { limits } from '@lavra/domain';
import { useEffect, useRef, useState } from 'react';
import { useGo } from '../../../lib/go.ts';
import { useTranslation } from '../../../lib/i18n.ts';
import { useForgetKept } from '../../../lib/calls.ts';
import { errorText } from '../../../shell/error-text.ts';
import { showToast } from '../../../ui/toasts.ts';
import { type CreationStep, createProcess } from './create-process.ts';
import { boxProgress, standingCount } from './draft-boxes.ts';
import { keptDeadlines } from './kept-deadlines.ts';
import { deleteDraft, endDraft, type ProcessDraft, type UpdateDraft } from './process-draft.ts';
import { findUsageAlert, type UsageAlert } from './usage-alert.ts';

export type Progress = { step: CreationStep; part: number | undefined } | 'done' | UsageAlert;

/** The creation of a process from its draft: what keeps from it, how far it is, and the way back to the list. */
export function useCreation(draft: ProcessDraft, update: UpdateDraft) {
  const { t } = useTranslation();
  const go = useGo();
  const forgetKept = useForgetKept();
  const [progress, setProgress] = useState<Progress | null>(null);
  const [failure, setFailure] = useState<{ title?: string; text: string } | null>(null);
  /** The process that was made of it. */
  const sent = useRef<string | null>(null);
  const { ready, total } = boxProgress(draft);
  // What the notice asked for has been done, or is being done: it has said its word.
  useEffect(() => setFailure(null), [ready, total, draft.modality, draft.visible, draft.boxes.length]);
  const { forgetOnLeaving, begin } = useLeaving(draft.id, sent);
  const leave = async () => {
    forgetOnLeaving();
    await go('/signature', { replace: true, state: sent.current === null ? null : { sent: sent.current } });
  };
  // Section 4: the success popup, then the check of the plan's usage, then the list.
  async function end(): Promise<void> {
    const usage = await findUsageAlert();
    if (usage) setProgress(usage);
    else await leave();
  }
  async function create(): Promise<void> {
    if (draft.modality === null) return setFailure({ text: t('confirm.noModality') });
    // One that lies on a page is where it was meant: to send fixes it.
    if (draft.visible && standingCount(draft) < total) return setFailure({ text: t('confirm.noPositions') });
    const moved = keptDeadlines(draft, new Date());
    if (moved) {
      // Another deadline than the one that was read is sent by nobody's first press.
      update(moved);
      return setFailure({ text: t('confirm.deadlineMoved') });
    }
    setFailure(null);
    const signal = begin();
    let last = 'permission' as CreationStep;
    const tell = (step: CreationStep, part?: number) => {
      last = step;
      setProgress({ step, part });
    };
    try {
      sent.current = await createProcess(draft, tell, signal);
      await endDraft(draft.id);
      // Whoever sends their first was shown an empty list last.
      forgetKept(getProcessesInfos, getCounterInfos);
      if (signal.aborted) return await forgetElsewhere(draft.id, t('confirm.doneTitle'));
      setProgress('done');
      setTimeout(() => void (signal.aborted || end()), limits.successPopupMs + limits.successRedirectMs);
    } catch (error) {
      // Of the last step nobody knows whether it was done.
      if (signal.aborted) return showToast({ text: last === 'start' ? errorText(error, t) : t('confirm.stopped') });
      setProgress(null);
      setFailure({ title: t('confirm.failed'), text: errorText(error, t) });
    }
  }

  return { progress, failure, create, leave };
}

/** What becomes of the draft, and of the creation that is under way, when the page is left. */
function useLeaving(draftId: string, sent: { readonly current: string | null }) {
  // Gone first, forgotten then, and by its page's own end: a page whose draft is gone sends its visitor elsewhere, without what is told there.
  const isForgotten = useRef(false);
  /** Nobody is called from a page that was left, by the way back for one. */
  const creation = useRef<AbortController | null>(null);
  useEffect(
    () => () => {
      creation.current?.abort();
      if (isForgotten.current || sent.current !== null) void deleteDraft(draftId);
    },
    [draftId, sent],
  );
  return {
    forgetOnLeaving(): void {
      isForgotten.current = true;
    },
    begin(): AbortSignal {
      creation.current = new AbortController();
      return creation.current.signal;
    },
  };
}

/** It could no longer be stopped when the page was left: what another shows of its draft is not sent once more. */
async function forgetElsewhere(draftId: string, told: string): Promise<void> {
  await deleteDraft(draftId);
  showToast({ text: told });
}
