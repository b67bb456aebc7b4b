import { getCounterInfos, getProcessesInfos } from '@lavra/api';
import { limits } from '@lavra/domain';
import { useEffect, useRef, useState } from 'react';
import { useGo } from '../../../lib/go.ts';
import { useTranslation } from '../../../lib/i18n.ts';
import { useForgetKept } from '../../../lib/calls.ts';
import { errorText } from '../../../shell/error-text.ts';
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

  // Gone first, forgotten then, and by its page's own end: a page whose draft is gone sends its visitor elsewhere, without what is told there.
  const isLeft = useRef(false);
  useEffect(() => () => void (isLeft.current && deleteDraft(draft.id)), [draft.id]);
  const leave = async () => {
    isLeft.current = true;
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
    try {
      sent.current = await createProcess(draft, (step, part) => setProgress({ step, part }));
      await endDraft(draft.id);
      // Whoever sends their first was shown an empty list last.
      forgetKept(getProcessesInfos, getCounterInfos);
      setProgress('done');
      setTimeout(() => void end(), limits.successPopupMs + limits.successRedirectMs);
    } catch (error) {
      setProgress(null);
      setFailure({ title: t('confirm.failed'), text: errorText(error, t) });
    }
  }
  return { progress, failure, create, leave };
}
