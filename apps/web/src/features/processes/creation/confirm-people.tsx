import { formatCpf } from '@lavra/domain';
import { useTranslation } from '../../../lib/i18n.ts';
import { formatDateTime } from '../../../lib/format.ts';
import { SignsFor } from '../../../shell/signs-for.tsx';
import { boxProgress, fileBoxes } from './draft-boxes.ts';
import type { DraftFile, ProcessDraft, SignerDraft, UpdateDraft } from './process-draft.ts';
import { SignerSlot } from './signer-slot.tsx';
import { signingOrders } from './signing-order.ts';
import type { Placement } from './use-box-placement.ts';
import type { Covered } from './use-covered.ts';

interface ConfirmPeopleProps {
  draft: ProcessDraft;
  update: UpdateDraft;
  /** The document that is shown. */
  file: DraftFile;
  covered: ReadonlyMap<string, Covered>;
  /** Null: nothing is placed. */
  placement: Placement | null;
}

/**
 * The signers of the summary (section 2): order, name, e-mail, quantity, which box is the signature, deadline; and, where signatures
 * are seen, whose boxes are where, with the button that places them.
 */
export function ConfirmPeople({ draft, update, file, covered, placement }: ConfirmPeopleProps) {
  const { t } = useTranslation();
  const orders = signingOrders(draft.signers);
  return (
    <section className="card confirm-people" aria-label={t('word.signers')}>
      <h2>{t('word.signers')}</h2>
      {placement && <p className="hint">{t('confirm.instructions')}</p>}
      <ol className="plain">
        {draft.signers.map((signer, index) => {
          const facts = <SignerFacts draft={draft} signer={signer} order={orders[index] ?? 0} update={update} />;
          if (!placement) return <li key={signer.id}>{facts}</li>;
          return (
            <SignerSlot
              key={signer.id}
              {...{ draft, signer, index, file, covered }}
              onPress={() => placement.press(signer)}
              onRedo={() => placement.redo(signer)}
              onRepeat={() => placement.repeat(signer)}
              onEveryPage={(on) => placement.setEveryPage(signer, on)}
            >
              {facts}
            </SignerSlot>
          );
        })}
      </ol>
      {placement && <Progress draft={draft} />}
    </section>
  );
}

function Progress({ draft }: { draft: ProcessDraft }) {
  const { t } = useTranslation();
  const { ready, total } = boxProgress(draft);
  return (
    <p className="last">
      <span className="badge">
        {ready}/{total}
      </span>{' '}
      {t('confirm.progress')}
    </p>
  );
}

interface SignerFactsProps {
  draft: ProcessDraft;
  signer: SignerDraft;
  /** From 0. */
  order: number;
  update: UpdateDraft;
}

function SignerFacts({ draft, signer, order, update }: SignerFactsProps) {
  const { t } = useTranslation();
  const hasSeveral = draft.multiple && signer.quantity > 1;
  return (
    <>
      <div className="person-head">
        <span className="person-order">{order + 1}</span>
        <span className="person-name">
          <strong>{signer.name}</strong>
          <span className="hint">{signer.email}</span>
          {signer.phoneNumber && <span className="hint">{signer.phoneNumber}</span>}
          <SignsFor cnpj={signer.cnpj} />
          {signer.cpf && <span className="hint">CPF {formatCpf(signer.cpf)}</span>}
          {draft.individual && <span className="hint">{`${t('prepare.deadline')}: ${formatDateTime(signer.dueDate)}`}</span>}
          {hasSeveral && <span className="hint">{t('confirm.boxesEach', { count: signer.quantity })}</span>}
        </span>
      </div>
      {draft.visible && hasSeveral && (
        <div>
          <span className="hint">{t('confirm.realSignature')}</span>
          <MainBoxChoice draft={draft} signer={signer} update={update} />
        </div>
      )}
    </>
  );
}

interface MainBoxChoiceProps {
  draft: ProcessDraft;
  signer: SignerDraft;
  update: UpdateDraft;
}

/** With several boxes on a document, which of them carries the signature itself; the others repeat its appearance. */
function MainBoxChoice({ draft, signer, update }: MainBoxChoiceProps) {
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
