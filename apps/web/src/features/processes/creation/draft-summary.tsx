import { useTranslation } from '../../../lib/i18n.ts';
import { formatDateTime } from '../../../lib/format.ts';
import { FileNotices } from './file-notices.tsx';
import type { ProcessDraft } from './process-draft.ts';

/** What is about to be created, to be read and not changed. Its signers stand below, with their places. */
export function DraftSummary({ draft }: { draft: ProcessDraft }) {
  const { t } = useTranslation();
  return (
    <section className="card">
      <dl className="facts">
        <dt>{t('prepare.name')}</dt>
        <dd>
          <strong>{draft.title}</strong>
        </dd>
        <dt>{t('word.documents')}</dt>
        <dd>
          <Files draft={draft} />
        </dd>
        <dt>{t('prepare.deadline')}</dt>
        <dd>{draft.hasDeadline ? formatDateTime(draft.deadline) : t(draft.individual ? 'word.dueEach' : 'confirm.noDeadline')}</dd>
        {draft.hasReminder && (
          <>
            <dt>{t('prepare.reminder')}</dt>
            <dd>{t('prepare.days', { count: draft.reminderDays })}</dd>
          </>
        )}
        {draft.hasStakeholders && draft.stakeholders.length > 0 && (
          <>
            <dt>{t('word.stakeholders')}</dt>
            <dd>
              {draft.stakeholders.map(({ name, email }) => `${name} (${email})`).join(', ')}
              <span className="hint told">{t(draft.tellStakeholders ? 'confirm.partiesTold' : 'confirm.partiesNotTold')}</span>
            </dd>
          </>
        )}
      </dl>
    </section>
  );
}

function Files({ draft }: { draft: ProcessDraft }) {
  return draft.files.map((file) => (
    <span key={file.id} className="told">
      {file.name}
      <FileNotices draftId={draft.id} file={file} />
    </span>
  ));
}
