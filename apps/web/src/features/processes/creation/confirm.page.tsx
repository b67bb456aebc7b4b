import { useEffect, useRef, useState } from 'react';
import { Navigate, useLocation, useNavigate } from 'react-router';
import { useTranslation } from '../../../lib/i18n.ts';
import { Notice, Page } from '../../../shell/page.tsx';
import { Loading } from '../../../ui/states.tsx';
import { showToast } from '../../../ui/toasts.ts';
import { CreationProgress } from './creation-progress.tsx';
import { DiscardDialog } from './discard-dialog.tsx';
import { draftFaults } from './draft-faults.ts';
import { keptDeadlines } from './kept-deadlines.ts';
import { returningState } from './handed-state.ts';
import { type ProcessDraft, type UpdateDraft, useDraft } from './process-draft.ts';
import { useCreation } from './use-creation.ts';
import { Workspace } from './workspace.tsx';

export function Component() {
  const { t } = useTranslation();
  const { draftId } = (useLocation().state ?? {}) as { draftId?: string };
  const [draft, update] = useDraft(draftId);
  const moved = draft ? keptDeadlines(draft, new Date()) : null;
  useEffect(() => {
    if (!moved) return;
    update(moved);
    showToast({ text: t('confirm.deadlineMoved') });
  }, [moved !== null]);
  if (draft === null) return <Navigate to="/prepare" replace />;
  if (draft && draftFaults({ ...draft, ...moved }, new Date()).length > 0)
    return <Navigate to="/prepare" replace state={{ draftId, action: 'returning' }} />;
  return (
    <Page title={t('confirm.title')} frame="workspace">
      {draft ? <ConfirmForm draft={draft} update={update} /> : <Loading rows={6} />}
    </Page>
  );
}

function ConfirmForm({ draft, update }: { draft: ProcessDraft; update: UpdateDraft }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { progress, failure, create, leave } = useCreation(draft, update);
  const [discarding, setDiscarding] = useState(false);
  const notice = useRef<HTMLDivElement>(null);
  // The reason why the button did nothing stands beside it, in sight wherever one is.
  useEffect(() => notice.current?.focus(), [failure]);
  return (
    <>
      <Workspace draft={draft} update={update} />
      <div className="bottom-bar bottom-bar-told">
        {failure && (
          <div ref={notice} tabIndex={-1} className="bottom-bar-fault">
            <Notice kind="error">
              {failure.title && <strong className="notice-title">{failure.title}</strong>}
              {failure.text}
            </Notice>
          </div>
        )}
        <button type="button" onClick={() => setDiscarding(true)}>
          {t('word.cancel')}
        </button>
        <button type="button" onClick={() => void navigate('/prepare', { state: returningState(draft) })}>
          {t('word.back')}
        </button>
        <button type="button" className="primary" disabled={progress !== null} onClick={() => void create()}>
          {t('confirm.create', { count: draft.signers.length })}
        </button>
      </div>
      {progress !== null && <CreationProgress progress={progress} onEnd={() => void leave()} />}
      {discarding && <DiscardDialog onKeep={() => setDiscarding(false)} onDiscard={() => void leave()} />}
    </>
  );
}
