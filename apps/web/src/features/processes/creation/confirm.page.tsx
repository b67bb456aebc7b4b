import { limits } from '@lavra/domain';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, useLocation, useNavigate } from 'react-router';
import { errorText } from '../../../shell/error-text.ts';
import { Notice, Page } from '../../../shell/page.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { type CreationStep, createProcess, type UsageAlert } from './create-process.ts';
import { DiscardDialog } from './discard-dialog.tsx';
import { boxProgress } from './draft-boxes.ts';
import { draftFaults } from './draft-faults.ts';
import { ModalityChoice } from './modality-choice.tsx';
import { PlacementSection } from './placement-section.tsx';
import { deleteDraft, type ProcessDraft, type UpdateDraft, useDraft } from './process-draft.ts';
import { DraftSummary } from './draft-summary.tsx';
import { Loading } from '../../../ui/states.tsx';

export function Component() {
  const { t } = useTranslation();
  const { draftId } = (useLocation().state ?? {}) as { draftId?: string };
  const [draft, update] = useDraft(draftId);
  if (draft === null) return <Navigate to="/prepare" replace />;
  if (draft && draftFaults(draft, new Date()).length > 0)
    return <Navigate to="/prepare" replace state={{ draftId, action: 'returning' }} />;
  return (
    <Page title={t('confirm.title')} frame="workspace">
      {draft ? <ConfirmForm draft={draft} update={update} /> : <Loading rows={6} />}
    </Page>
  );
}

type Progress = { step: CreationStep; part: number | undefined } | 'done' | UsageAlert | null;

function ConfirmForm({ draft, update }: { draft: ProcessDraft; update: UpdateDraft }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [progress, setProgress] = useState<Progress>(null);
  const [failure, setFailure] = useState<{ text: string } | null>(null);
  const [discarding, setDiscarding] = useState(false);
  const notice = useRef<HTMLDivElement>(null);
  const { ready, total } = boxProgress(draft);
  // What the notice asked for has been done, or is being done: it has said its word.
  useEffect(() => setFailure(null), [ready, total, draft.modality, draft.visible]);
  // The button follows the reader down the page; so must the reason why it did nothing.
  useEffect(() => notice.current?.focus(), [failure]);

  // Gone first, forgotten then: a page whose draft is gone sends its visitor elsewhere.
  const leave = async () => {
    await navigate('/signature', { replace: true });
    await deleteDraft(draft.id);
    void queries.invalidateQueries();
  };
  async function create(): Promise<void> {
    if (draft.modality === null) return setFailure({ text: t('confirm.noModality') });
    if (draft.visible && ready < total) return setFailure({ text: t('confirm.noPositions') });
    setFailure(null);
    try {
      const usage = await createProcess(draft, (step, part) => setProgress({ step, part }));
      setProgress('done');
      setTimeout(() => (usage ? setProgress(usage) : void leave()), limits.successPopupMs);
    } catch (error) {
      setProgress(null);
      setFailure({ text: `${t('confirm.failed')} — ${errorText(error, t)}` });
    }
  }

  return (
    <>
      <DraftSummary draft={draft} update={update} />
      <section className="card">
        <ModalityChoice draft={draft} update={update} />
      </section>
      {draft.visible && draft.modality !== null && <PlacementSection draft={draft} update={update} />}
      {failure && (
        <div ref={notice} tabIndex={-1}>
          <Notice kind="error">{failure.text}</Notice>
        </div>
      )}
      <div className="bottom-bar">
        <button type="button" onClick={() => setDiscarding(true)}>
          {t('prepare.cancel')}
        </button>
        <button type="button" onClick={() => void navigate('/prepare', { state: { draftId: draft.id, action: 'returning' } })}>
          {t('confirm.back')}
        </button>
        <button type="button" className="primary" disabled={progress !== null} onClick={() => void create()}>
          {t('confirm.create')}
        </button>
      </div>
      {progress !== null && <CreationProgress progress={progress} onEnd={() => void leave()} />}
      {discarding && <DiscardDialog onKeep={() => setDiscarding(false)} onDiscard={() => void leave()} />}
    </>
  );
}

function CreationProgress({ progress, onEnd }: { progress: Exclude<Progress, null>; onEnd(): void }) {
  const { t } = useTranslation();
  if (typeof progress === 'object' && 'shouldAlert' in progress) {
    return (
      <Dialog key="usage" title={t('confirm.usageTitle')} closeLabel={t('dialog.close')} onClose={onEnd}>
        <p>{t('confirm.usage', { current: progress.currentSignatures, plan: progress.planSignatures ?? '' })}</p>
        <div className="actions actions-end">
          <button type="button" className="primary" onClick={onEnd}>
            {t('confirm.usageOk')}
          </button>
        </div>
      </Dialog>
    );
  }
  const done = progress === 'done';
  return (
    <Dialog title={t(done ? 'confirm.doneTitle' : 'confirm.creating')} closeLabel={t('dialog.close')} busy onClose={() => {}}>
      <div className="busy" role="status">
        {!done && <span className="spinner" />}
        <p>{t(done ? 'confirm.done' : `confirm.step.${progress.step}`)}</p>
      </div>
      {!done && progress.part !== undefined && <progress value={progress.part} max={1} aria-label={t('confirm.step.upload')} />}
    </Dialog>
  );
}
