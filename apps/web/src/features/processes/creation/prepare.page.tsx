import { defaultGeneralDeadline, defaultIndividualDeadline, limits, minimumGeneralDeadline } from '@lavra/domain';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, useLocation, useNavigate } from 'react-router';
import { Notice, Page } from '../../../shell/page.tsx';
import { DateTimeField } from '../../../ui/date-time-field.tsx';
import { Switch, TextField } from '../../../ui/field.tsx';
import { DiscardDialog } from './discard-dialog.tsx';
import { DocumentsSection } from './documents-section.tsx';
import { draftFaults } from './draft-faults.ts';
import { useFocusOnFault } from './fault-notice.tsx';
import { deleteDraft, isTouched, type ProcessDraft, type UpdateDraft, useDraft } from './process-draft.ts';
import { ReminderSection } from './reminder-section.tsx';
import { SignersSection } from './signers-section.tsx';
import { StakeholdersSection } from './stakeholders-section.tsx';
import { Loading } from '../../../ui/states.tsx';

export function Component() {
  const { t } = useTranslation();
  const { draftId } = (useLocation().state ?? {}) as { draftId?: string };
  const [draft, update] = useDraft(draftId);
  if (draft === null) return <Navigate to="/signature" replace />;
  return <Page title={t('prepare.title')}>{draft ? <PrepareForm draft={draft} update={update} /> : <Loading rows={6} />}</Page>;
}

function PrepareForm({ draft, update }: { draft: ProcessDraft; update: UpdateDraft }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [attempt, setAttempt] = useState(0);
  const [discarding, setDiscarding] = useState(false);
  /** Somebody was typed into a form and not added: to go on would lose them without a word. */
  const [pending, setPending] = useState({ signer: false, stakeholder: false });
  const frame = useFocusOnFault(attempt);
  const faults = draftFaults(draft, new Date());
  const blocked = faults.length > 0 || pending.signer || (pending.stakeholder && draft.hasStakeholders);
  const shown = attempt > 0 ? faults : [];
  const text = (field: string, index?: number) => {
    const fault = shown.find((one) => one.field === field && one.index === index);
    return fault ? t(fault.code, fault.params ?? {}) : undefined;
  };
  const next = () => {
    if (blocked) return setAttempt(attempt + 1);
    void navigate('/confirm', { state: { draftId: draft.id } });
  };
  // Gone first, forgotten then: a page whose draft is gone sends its visitor elsewhere.
  const discard = async () => {
    await navigate('/');
    await deleteDraft(draft.id);
  };
  return (
    <div ref={frame}>
      <section className="card">
        <TextField
          label={t('prepare.name')}
          maxLength={limits.titleMax}
          value={draft.title}
          onChange={(title) => update({ title })}
          error={text('title')}
        />
        <DocumentsSection draft={draft} update={update} fault={text('files')} />
      </section>
      <section className="card">
        <SignersSection
          draft={draft}
          update={update}
          fault={text('signers')}
          deadlineFault={(index) => text('individual', index)}
          pending={attempt > 0 && pending.signer}
          onPending={(signer) => setPending((before) => ({ ...before, signer }))}
        />
      </section>
      <section className="card">
        <DeadlinesSection draft={draft} update={update} fault={text('deadline')} />
        <ReminderSection draft={draft} update={update} />
      </section>
      <section className="card">
        <StakeholdersSection
          draft={draft}
          update={update}
          pending={attempt > 0 && pending.stakeholder}
          onPending={(stakeholder) => setPending((before) => ({ ...before, stakeholder }))}
        />
      </section>
      {attempt > 0 && blocked && <Notice kind="warning">{t('prepare.fix')}</Notice>}
      <div className="bottom-bar">
        <button type="button" onClick={() => (isTouched(draft) ? setDiscarding(true) : void discard())}>
          {t('prepare.cancel')}
        </button>
        <button type="button" className="primary" onClick={next}>
          {t('prepare.next')}
        </button>
      </div>
      {discarding && <DiscardDialog onKeep={() => setDiscarding(false)} onDiscard={() => void discard()} />}
    </div>
  );
}

function DeadlinesSection({ draft, update, fault }: { draft: ProcessDraft; update: UpdateDraft; fault: string | undefined }) {
  const { t } = useTranslation();
  const general = (hasDeadline: boolean) => {
    const individual = draft.individual ? draft.signers.map(({ dueDate }) => dueDate ?? '') : [];
    // What is offered first fits what was chosen already: never before the last individual deadline.
    const offered = [defaultGeneralDeadline(new Date()).toISOString(), ...individual].toSorted().at(-1) ?? null;
    update({ hasDeadline, deadline: draft.deadline ?? offered });
  };
  const individual = (on: boolean) =>
    update({
      individual: on,
      signers: draft.signers.map((signer, index) =>
        on ? { ...signer, dueDate: signer.dueDate ?? defaultIndividualDeadline(new Date(), index).toISOString() } : signer,
      ),
    });
  return (
    <>
      <h2>{t('prepare.deadlines')}</h2>
      <Switch label={t('prepare.generalDeadline')} checked={draft.hasDeadline} onChange={general} />
      {draft.hasDeadline && (
        <DateTimeField
          label={t('prepare.deadline')}
          value={draft.deadline}
          min={minimumGeneralDeadline(new Date()).toISOString()}
          onChange={(deadline) => update({ deadline })}
          error={fault}
        />
      )}
      <Switch label={t('prepare.individualDeadlines')} checked={draft.individual} onChange={individual} />
    </>
  );
}
