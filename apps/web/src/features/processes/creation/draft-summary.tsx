import { formatCpf } from '@lavra/domain';
import { useTranslation } from 'react-i18next';
import { formatDateTime } from '../../../lib/format.ts';
import { SignsFor } from '../../../shell/signs-for.tsx';
import { fileBoxes } from './draft-boxes.ts';
import { FileNotices } from './file-notices.tsx';
import type { ProcessDraft, SignerDraft } from './process-draft.ts';

interface SummaryProps {
  draft: ProcessDraft;
  update(change: Partial<ProcessDraft>): void;
}

/** What is about to be created, to be read and not changed; but for the box that carries the signature itself. */
export function DraftSummary({ draft, update }: SummaryProps) {
  const { t } = useTranslation();
  return (
    <section className="card">
      <Facts draft={draft} />
      <h2>{t('home.signers')}</h2>
      <Signers draft={draft} update={update} />
    </section>
  );
}

function Signers({ draft, update }: SummaryProps) {
  const { t } = useTranslation();
  const withChoice = draft.visible && draft.multiple && draft.signers.some((signer) => signer.quantity > 1);
  const withCpf = draft.signers.some((signer) => signer.cpf);
  return (
    <table className="cards">
      <thead>
        <tr>
          <th scope="col">{t('signer.order')}</th>
          <th scope="col">{t('signer.name')}</th>
          <th scope="col">{t('login.email')}</th>
          {withCpf && <th scope="col">CPF</th>}
          {draft.multiple && <th scope="col">{t('prepare.quantity')}</th>}
          {withChoice && <th scope="col">{t('confirm.realSignature')}</th>}
          {draft.individual && <th scope="col">{t('prepare.deadline')}</th>}
        </tr>
      </thead>
      <tbody>
        {draft.signers.map((signer, index) => (
          <tr key={signer.id}>
            <td data-label={t('signer.order')}>{index + 1}</td>
            <td className="card-heading">
              <span>
                {signer.name}
                <SignsFor cnpj={signer.cnpj} />
              </span>
            </td>
            <td className="email" data-label={t('login.email')}>
              {signer.email}
            </td>
            {withCpf && <td data-label="CPF">{signer.cpf ? formatCpf(signer.cpf) : '—'}</td>}
            {draft.multiple && <td data-label={t('prepare.quantity')}>{signer.quantity}</td>}
            {withChoice && (
              <td className={signer.quantity > 1 ? 'wide' : undefined} data-label={t('confirm.realSignature')}>
                <MainBoxChoice draft={draft} signer={signer} update={update} />
              </td>
            )}
            {draft.individual && <td data-label={t('prepare.deadline')}>{formatDateTime(signer.dueDate)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Facts({ draft }: { draft: ProcessDraft }) {
  const { t } = useTranslation();
  return (
    <dl className="facts">
      <dt>{t('prepare.name')}</dt>
      <dd>
        <strong>{draft.title}</strong>
      </dd>
      <dt>{t('home.documents')}</dt>
      <dd>
        <Files draft={draft} />
      </dd>
      <dt>{t('prepare.deadline')}</dt>
      <dd>{draft.hasDeadline ? formatDateTime(draft.deadline) : t('confirm.noDeadline')}</dd>
      <dt>{t('prepare.reminder')}</dt>
      <dd>{draft.hasReminder ? t('prepare.days', { count: draft.reminderDays }) : t('confirm.no')}</dd>
      <dt>{t('prepare.stakeholders')}</dt>
      <dd>
        {draft.hasStakeholders && draft.stakeholders.length > 0
          ? draft.stakeholders.map(({ name, email }) => `${name} (${email})`).join(', ')
          : t('confirm.no')}
      </dd>
    </dl>
  );
}

function Files({ draft }: { draft: ProcessDraft }) {
  return draft.files.map((file) => (
    <span key={file.id} className="told">
      {file.name} (PDF)
      <FileNotices draftId={draft.id} file={file} />
    </span>
  ));
}

/** With several boxes on a document, which of them carries the signature itself; the others repeat its appearance. */
function MainBoxChoice({
  draft,
  signer,
  update,
}: {
  draft: ProcessDraft;
  signer: SignerDraft;
  update(change: Partial<ProcessDraft>): void;
}) {
  const { t } = useTranslation();
  if (signer.quantity === 1) return '—';
  return draft.files.map((file) => {
    const key = `${signer.id}/${file.id}`;
    return (
      <label key={file.id} className="main-box">
        <span>{file.name}</span>
        <select
          aria-label={t('confirm.realSignatureOf', { name: signer.name, document: file.name })}
          value={draft.realSignature[key] ?? 0}
          onChange={(event) => update({ realSignature: { ...draft.realSignature, [key]: Number(event.target.value) } })}
        >
          {fileBoxes(draft, signer, file).map(({ repetition }) => (
            <option key={repetition} value={repetition}>
              {t('confirm.boxNumber', { number: repetition + 1 })}
            </option>
          ))}
        </select>
      </label>
    );
  });
}
