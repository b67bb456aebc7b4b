import { limits } from '@lavra/domain';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, useLocation, useNavigate } from 'react-router';
import { errorText } from '../../shell/error-text.ts';
import { Notice, Page } from '../../shell/page.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Checkbox } from '../../ui/field.tsx';
import { type CreationStep, createProcess } from './create-process.ts';
import { boxProgress } from './draft-boxes.ts';
import { draftFaults } from './draft-faults.ts';
import { PlacementSection } from './placement-section.tsx';
import { deleteDraft, type ProcessDraft, useDraft } from './process-draft.ts';
import { DraftSummary } from './draft-summary.tsx';

export function Component() {
  const { t } = useTranslation();
  const { draftId } = (useLocation().state ?? {}) as { draftId?: string };
  const [draft, update] = useDraft(draftId);
  if (draft === null) return <Navigate to="/prepare" replace />;
  if (draft && draftFaults(draft, new Date()).length > 0) return <Navigate to="/prepare" replace state={{ draftId, action: 'returning' }} />;
  return <Page title={t('confirm.title')}>{draft ? <ConfirmForm draft={draft} update={update} /> : <p>{t('shell.loading')}</p>}</Page>;
}

type Progress = { step: CreationStep; part: number | undefined } | 'done' | null;

function ConfirmForm({ draft, update }: { draft: ProcessDraft; update(change: Partial<ProcessDraft>): void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [progress, setProgress] = useState<Progress>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const { ready, total } = boxProgress(draft);

  async function create(): Promise<void> {
    if (draft.modality === null) return setFailure(t('confirm.noModality'));
    if (draft.visible && ready < total) return setFailure(t('confirm.noPositions'));
    setFailure(null);
    try {
      await createProcess(draft, (step, part) => setProgress({ step, part }));
      await deleteDraft(draft.id);
      setProgress('done');
      setTimeout(() => {
        void queries.invalidateQueries();
        void navigate('/signature', { replace: true });
      }, limits.successPopupMs);
    } catch (error) {
      setProgress(null);
      setFailure(`${t('confirm.failed')} — ${errorText(error, t)}`);
    }
  }

  return (
    <>
      <DraftSummary draft={draft} update={update} />
      <section className="card"><ModalityChoice draft={draft} update={update} /></section>
      {draft.visible && draft.modality !== null && <PlacementSection draft={draft} update={update} />}
      {failure && <Notice kind="error">{failure}</Notice>}
      <div className="bottom-bar">
        <button type="button" onClick={() => void navigate('/signature')}>{t('prepare.cancel')}</button>
        <button type="button" onClick={() => void navigate('/prepare', { state: { draftId: draft.id, action: 'returning' } })}>{t('confirm.back')}</button>
        <button type="button" className="primary" disabled={progress !== null} onClick={() => void create()}>{t('confirm.create')}</button>
      </div>
      {progress !== null && <CreationProgress progress={progress} />}
    </>
  );
}

function CreationProgress({ progress }: { progress: Exclude<Progress, null> }) {
  const { t } = useTranslation();
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

/** The two modalities, each named with its legal level. A digital process could not be signed by anybody yet: the choice says so. */
function ModalityChoice({ draft, update }: { draft: ProcessDraft; update(change: Partial<ProcessDraft>): void }) {
  const { t } = useTranslation();
  return (
    <fieldset>
      <legend>{t('confirm.modality')}</legend>
      <label className="radio">
        <input type="radio" name="modality" disabled checked={draft.modality === 'digital'} onChange={() => update({ modality: 'digital' })} />
        <span><strong>1. {t('confirm.digital')}</strong><br /><span className="hint">{t('confirm.digitalSoon')}</span></span>
      </label>
      <Checkbox label={t('confirm.visible')} checked={false} disabled onChange={() => {}} />
      <label className="radio">
        <input type="radio" name="modality" checked={draft.modality === 'electronic'} onChange={() => update({ modality: 'electronic' })} />
        <span><strong>2. {t('confirm.electronic')}</strong><br /><span className="hint">{t('confirm.electronicLevel')}</span></span>
      </label>
      <Checkbox label={t('confirm.visible')} checked={draft.visible && draft.modality === 'electronic'} disabled={draft.modality !== 'electronic'} onChange={(visible) => update({ visible })} />
      <Checkbox label={t('confirm.geolocationOptional')} checked={draft.geolocationOptional} disabled={draft.modality !== 'electronic'} onChange={(geolocationOptional) => update({ geolocationOptional })} />
    </fieldset>
  );
}
