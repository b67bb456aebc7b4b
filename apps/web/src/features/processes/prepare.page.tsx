import { defaultGeneralDeadline, defaultIndividualDeadline, limits } from '@lavra/domain';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, useLocation, useNavigate } from 'react-router';
import { useManagementInfo } from '../../lib/management-info.ts';
import { Notice, Page } from '../../shell/page.tsx';
import { Field, Switch, TextField } from '../../ui/field.tsx';
import { sortChosenFiles } from './chosen-files.ts';
import { DeadlineField } from './deadline-field.tsx';
import { draftFaults, reminderConflict } from './draft-faults.ts';
import { FileDropzone } from './file-dropzone.tsx';
import { deleteDraft, type ProcessDraft, useDraft } from './process-draft.ts';
import { SignersSection } from './signers-section.tsx';
import { StakeholdersSection } from './stakeholders-section.tsx';

type Update = (change: Partial<ProcessDraft>) => void;

export function Component() {
  const { t } = useTranslation();
  const { draftId } = (useLocation().state ?? {}) as { draftId?: string };
  const [draft, update] = useDraft(draftId);
  if (draft === null) return <Navigate to="/signature" replace />;
  return <Page title={t('prepare.title')}>{draft ? <PrepareForm draft={draft} update={update} /> : <p>{t('shell.loading')}</p>}</Page>;
}

function PrepareForm({ draft, update }: { draft: ProcessDraft; update: Update }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [tried, setTried] = useState(false);
  const faults = draftFaults(draft, new Date());
  const faultOf = (field: string) => (tried ? faults.find((fault) => fault.field === field) : undefined);
  const text = (field: string) => {
    const fault = faultOf(field);
    return fault ? t(fault.code) : undefined;
  };
  useEffect(() => {
    if (tried) document.querySelector<HTMLElement>('[aria-invalid="true"], .notice-warning')?.focus();
  }, [tried]);
  const next = () => {
    setTried(true);
    if (faults.length === 0) void navigate('/confirm', { state: { draftId: draft.id } });
  };
  const cancel = () => void deleteDraft(draft.id).then(() => navigate('/'));
  return (
    <>
      <section className="card">
        <TextField label={t('prepare.name')} maxLength={limits.titleMax} value={draft.title} onChange={(title) => update({ title })} error={text('title')} />
        <DocumentsSection draft={draft} update={update} fault={text('files')} />
      </section>
      <section className="card">
        <SignersSection draft={draft} update={update} fault={text('signers')} deadlineFault={text('individual')} />
      </section>
      <section className="card">
        <h2>{t('prepare.deadlines')}</h2>
        <Switch label={t('prepare.generalDeadline')} checked={draft.hasDeadline} onChange={(hasDeadline) => update({ hasDeadline, deadline: hasDeadline ? (draft.deadline ?? defaultGeneralDeadline(new Date()).toISOString()) : draft.deadline })} />
        {draft.hasDeadline && <DeadlineField label={t('prepare.deadline')} value={draft.deadline} onChange={(deadline) => update({ deadline })} error={text('deadline')} />}
        <Switch
          label={t('prepare.individualDeadlines')}
          checked={draft.individual}
          onChange={(individual) => update({ individual, signers: draft.signers.map((signer, index) => ({ ...signer, dueDate: individual ? (signer.dueDate ?? defaultIndividualDeadline(new Date(), index).toISOString()) : signer.dueDate })) })}
        />
        <ReminderSection draft={draft} update={update} />
      </section>
      <section className="card"><StakeholdersSection draft={draft} update={update} /></section>
      {tried && faults.length > 0 && <Notice kind="warning">{t('prepare.fix')}</Notice>}
      <div className="bottom-bar">
        <button type="button" onClick={cancel}>{t('prepare.cancel')}</button>
        <button type="button" className="primary" onClick={next}>{t('prepare.next')}</button>
      </div>
    </>
  );
}

function DocumentsSection({ draft, update, fault }: { draft: ProcessDraft; update: Update; fault: string | undefined }) {
  const { t } = useTranslation();
  const { data: info } = useManagementInfo();
  const [refused, setRefused] = useState<{ key: string; name: string }[]>([]);
  const add = (files: File[]) => {
    const chosen = sortChosenFiles(files, draft.files.map(({ name }) => name), info?.maxUploadBytes);
    setRefused(chosen.refused);
    update({ files: [...draft.files, ...chosen.accepted.map((file) => ({ id: crypto.randomUUID(), name: file.name, file }))], creationKey: crypto.randomUUID() });
  };
  return (
    <>
      <h2>{t('home.documents')}</h2>
      {fault && <Notice kind="warning">{fault}</Notice>}
      <ul className="list">
        {draft.files.map((file) => (
          <li key={file.id}>
            <span>{file.name}</span>
            <button type="button" className="quiet" aria-label={t('prepare.removeNamed', { name: file.name })} onClick={() => update({ files: draft.files.filter(({ id }) => id !== file.id), creationKey: crypto.randomUUID() })}>{t('prepare.remove')}</button>
          </li>
        ))}
      </ul>
      {refused.map(({ key, name }) => <Notice key={name} kind="warning">{t(key, { name, megabytes: Math.floor((info?.maxUploadBytes ?? 0) / 1024 / 1024) })}</Notice>)}
      <FileDropzone maxBytes={info?.maxUploadBytes} onFiles={add} />
    </>
  );
}

function ReminderSection({ draft, update }: { draft: ProcessDraft; update: Update }) {
  const { t } = useTranslation();
  const [conflict, setConflict] = useState(false);
  const choose = (days: number, hasReminder = true) => {
    const refused = hasReminder && reminderConflict({ ...draft, hasReminder, reminderDays: days }, new Date());
    setConflict(refused);
    if (!refused) update({ hasReminder, reminderDays: days });
  };
  return (
    <>
      <Switch label={t('prepare.reminder')} checked={draft.hasReminder} onChange={(on) => choose(draft.reminderDays, on)} />
      {conflict && <Notice kind="warning">{t('process.reminderConflict')}</Notice>}
      {draft.hasReminder && (
        <Field label={t('prepare.reminderEvery')}>
          {({ id }) => (
            <select id={id} value={draft.reminderDays} onChange={(event) => choose(Number(event.target.value))}>
              {limits.reminderDays.map((days) => <option key={days} value={days}>{t('prepare.days', { count: days })}</option>)}
            </select>
          )}
        </Field>
      )}
    </>
  );
}
