import { formatCpf } from '@lavra/domain';
import { useTranslation } from 'react-i18next';
import { formatDateTime } from '../../../lib/format.ts';
import { SignsFor } from '../../../shell/signs-for.tsx';
import { fileBoxes } from './draft-boxes.ts';
import { FileNotices } from './file-notices.tsx';
import type { ProcessDraft, SignerDraft } from './process-draft.ts';
import { signingOrders } from './signing-order.ts';

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
  const orders = signingOrders(draft.signers);
  return (
    <ol className="people summary-people">
      {draft.signers.map((signer, index) => (
        <li key={signer.id}>
          <div className="person-head">
            <span className="person-order">{(orders[index] ?? 0) + 1}</span>
            <span className="person-name">
              <strong>{signer.name}</strong>
              <span className="hint">{signer.email}</span>
              {signer.phoneNumber && <span className="hint">{signer.phoneNumber}</span>}
              <SignsFor cnpj={signer.cnpj} />
              {signer.cpf && <span className="hint">CPF {formatCpf(signer.cpf)}</span>}
              {draft.individual && <span className="hint">{`${t('prepare.deadline')}: ${formatDateTime(signer.dueDate)}`}</span>}
              {draft.multiple && signer.quantity > 1 && <span className="hint">{t('confirm.boxesEach', { count: signer.quantity })}</span>}
            </span>
          </div>
          {draft.visible && draft.multiple && signer.quantity > 1 && (
            <div>
              <span className="hint">{t('confirm.realSignature')}</span>
              <MainBoxChoice draft={draft} signer={signer} update={update} />
            </div>
          )}
        </li>
      ))}
    </ol>
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
      {draft.hasReminder && (
        <>
          <dt>{t('prepare.reminder')}</dt>
          <dd>{t('prepare.days', { count: draft.reminderDays })}</dd>
        </>
      )}
      {draft.hasStakeholders && draft.stakeholders.length > 0 && (
        <>
          <dt>{t('prepare.stakeholders')}</dt>
          <dd>
            {draft.stakeholders.map(({ name, email }) => `${name} (${email})`).join(', ')}
            <span className="hint below-name">{t(draft.tellStakeholders ? 'confirm.partiesTold' : 'confirm.partiesNotTold')}</span>
          </dd>
        </>
      )}
    </dl>
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
