import { limits } from '@lavra/domain';
import { useState } from 'react';
import { Navigate, useLocation } from 'react-router';
import { useTranslation } from '../../../lib/i18n.ts';
import { Notice, Page } from '../../../shell/page.tsx';
import { TextField } from '../../../ui/field.tsx';
import { Loading } from '../../../ui/states.tsx';
import { DeadlinesSection } from './deadlines-section.tsx';
import { DiscardDialog } from './discard-dialog.tsx';
import { DocumentsSection } from './documents-section.tsx';
import { LanguageChoice } from './language-choice.tsx';
import { useFocusOnFault } from './fault-notice.tsx';
import { isTouched, type ProcessDraft, type UpdateDraft, useDraft } from './process-draft.ts';
import { ReminderSection } from './reminder-section.tsx';
import { SignersSection } from './signers-section.tsx';
import { StakeholdersSection } from './stakeholders-section.tsx';
import { useHandedOver } from './use-handed-over.ts';
import { usePreparation } from './use-preparation.ts';

export function Component() {
  const { t } = useTranslation();
  const { draftId } = (useLocation().state ?? {}) as { draftId?: string };
  const isHandedOver = useHandedOver();
  const [draft, update] = useDraft(draftId);
  if (draft === null && !isHandedOver) return <Navigate to="/signature" replace />;
  return <Page title={t('prepare.title')}>{draft ? <PrepareForm draft={draft} update={update} /> : <Loading rows={6} />}</Page>;
}

function PrepareForm({ draft, update }: { draft: ProcessDraft; update: UpdateDraft }) {
  const { t } = useTranslation();
  const { attempt, isTold, faultText, pendingIn, next, discard } = usePreparation(draft);
  const [discarding, setDiscarding] = useState(false);
  const frame = useFocusOnFault(attempt);
  return (
    <div ref={frame}>
      <section className="card">
        <TextField
          label={t('prepare.name')}
          maxLength={limits.titleMax}
          value={draft.title}
          onChange={(title) => update({ title })}
          error={faultText('title')}
        />
        <DocumentsSection draft={draft} update={update} fault={faultText('files')} />
      </section>
      <section className="card">
        <SignersSection
          draft={draft}
          update={update}
          fault={faultText('signers')}
          signerFault={(index) => faultText('signer', index)}
          deadlineFault={(index) => faultText('individual', index)}
          {...pendingIn('signer')}
        />
      </section>
      <section className="card">
        <DeadlinesSection draft={draft} update={update} fault={faultText('deadline')} />
        <ReminderSection draft={draft} update={update} />
        <LanguageChoice value={draft.langKey} onChange={(langKey) => update({ langKey })} />
      </section>
      <section className="card">
        <StakeholdersSection draft={draft} update={update} {...pendingIn('stakeholder')} />
      </section>
      {isTold && <Notice kind="warning">{t('prepare.fix')}</Notice>}
      <div className="bottom-bar">
        <button type="button" onClick={() => (isTouched(draft) ? setDiscarding(true) : void discard())}>
          {t('word.cancel')}
        </button>
        <button type="button" className="primary" onClick={next}>
          {t('prepare.next')}
        </button>
      </div>
      {discarding && <DiscardDialog onKeep={() => setDiscarding(false)} onDiscard={() => void discard()} />}
    </div>
  );
}
