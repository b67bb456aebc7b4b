import { formatCpf, limits, minimumDeadline, nearestQuantity } from '@lavra/domain';
import { useState } from 'react';
import { useTranslation } from '../../../lib/i18n.ts';
import { DateTimeField } from '../../../ui/date-time-field.tsx';
import { SignsFor } from '../../../shell/signs-for.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { Checkbox } from '../../../ui/field.tsx';
import type { ProcessDraft, SignerDraft } from './process-draft.ts';
import { SignerForm } from './signer-form.tsx';
import { type DropSide, signingOrders } from './signing-order.ts';
import { useRowDrag } from './use-row-drag.ts';

interface TableProps {
  draft: ProcessDraft;
  signerFault(index: number): string | undefined;
  deadlineFault(index: number): string | undefined;
  onChange(id: string, part: Partial<SignerDraft>): void;
  onMove(id: string, by: -1 | 1): void;
  onJoin(id: string, withPrevious: boolean): void;
  onDrop(id: string, target: string, side: DropSide): void;
  onRemove(signer: SignerDraft, index: number): void;
}

/** Columns that are there for some processes only. */
function columnsOf(draft: ProcessDraft) {
  return { cpf: draft.signers.some((signer) => signer.cpf), quantity: draft.multiple, deadline: draft.individual };
}

/** The signers in signing order, with what is theirs to set. */
export function SignersTable(props: TableProps) {
  const { t } = useTranslation();
  const { draft } = props;
  const columns = columnsOf(draft);
  return (
    <div className="table-scroll">
      <table className="cards signers">
        <thead>
          <tr>
            <th scope="col">{t('word.order')}</th>
            <th scope="col">{t('word.name')}</th>
            <th scope="col">{t('word.email')}</th>
            {columns.cpf && <th scope="col">CPF</th>}
            {columns.quantity && <th scope="col">{t('prepare.quantity')}</th>}
            {columns.deadline && <th scope="col">{t('prepare.deadline')}</th>}
            <th scope="col">
              <span className="visually-hidden">{t('home.actions')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {draft.signers.map((signer, index) => (
            <SignerRow key={signer.id} {...props} signer={signer} index={index} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

type RowProps = TableProps & { signer: SignerDraft; index: number };

function SignerRow(props: RowProps) {
  const { t } = useTranslation();
  const { draft, signer, index, deadlineFault, onChange } = props;
  const columns = columnsOf(draft);
  const [editing, setEditing] = useState(false);
  const { side, ...dragging } = useRowDrag(signer.id, props.onDrop);
  if (editing) return <EditRow {...props} onEnd={() => setEditing(false)} />;
  const repeated = draft.signers.some(({ id, email }) => id !== signer.id && email === signer.email);
  return (
    <tr {...dragging} className={side ? `drop-${side}` : undefined}>
      <td data-label={t('word.order')}>{(signingOrders(draft.signers)[index] ?? index) + 1}</td>
      <td className="card-heading">
        <span>
          {signer.name}
          <RowFault text={props.signerFault(index)} />
          {signer.phoneNumber && <span className="hint below-name">{signer.phoneNumber}</span>}
          <SignsFor cnpj={signer.cnpj} />
          <JoinChoice {...props} />
        </span>
      </td>
      <td className="email" data-label={t('word.email')}>
        <span>
          {signer.email}
          {repeated && (
            <span className="told-twice" role="status">
              {t('prepare.emailTwice')}
            </span>
          )}
        </span>
      </td>
      {columns.cpf && <td data-label="CPF">{signer.cpf ? formatCpf(signer.cpf) : '—'}</td>}
      {columns.quantity && (
        <td data-label={t('prepare.quantity')}>
          <input
            type="number"
            min={1}
            max={limits.quantityMax}
            aria-label={t('prepare.quantityOf', { name: signer.name })}
            value={signer.quantity}
            onChange={(event) => onChange(signer.id, { quantity: nearestQuantity(Number(event.target.value)) })}
          />
        </td>
      )}
      {columns.deadline && (
        <td className="wide">
          <DateTimeField
            compact
            label={t('prepare.deadlineOf', { name: signer.name })}
            value={signer.dueDate}
            min={firstOffered(draft, index)}
            error={deadlineFault(index)}
            onChange={(dueDate) => onChange(signer.id, { dueDate })}
          />
        </td>
      )}
      <RowActions {...props} onEdit={() => setEditing(true)} />
    </tr>
  );
}

/** Why they cannot be a signer as they are written: the first error takes the focus, and it may be this one. */
function RowFault({ text }: { text: string | undefined }) {
  if (!text) return null;
  return (
    <span className="error below-name" tabIndex={-1} data-fault>
      {text}
    </span>
  );
}

/** For all who come after somebody: at the same time as the one before, or after them. */
function JoinChoice({ draft, signer, index, onJoin }: RowProps) {
  const { t } = useTranslation();
  const before = draft.signers[index - 1];
  if (!before) return null;
  return (
    <Checkbox
      label={t('prepare.withPrevious', { name: before.name.split(' ')[0] })}
      checked={signer.withPrevious ?? false}
      onChange={(withPrevious) => onJoin(signer.id, withPrevious)}
    />
  );
}

/** Corrected where it stands. */
function EditRow({ signer, onChange, onEnd }: RowProps & { onEnd(): void }) {
  return (
    <tr>
      <td colSpan={7} className="wide">
        <SignerForm
          person={signer}
          onSave={(person) => {
            onChange(signer.id, person);
            onEnd();
          }}
          onCancel={onEnd}
        />
      </td>
    </tr>
  );
}

/** Somebody else is called at the same time. */
function hasCompany({ signers }: ProcessDraft, index: number): boolean {
  return (signers[index]?.withPrevious ?? false) || (signers[index + 1]?.withPrevious ?? false);
}

function RowActions({ draft, signer, index, onMove, onRemove, onEdit }: RowProps & { onEdit(): void }) {
  const { t } = useTranslation();
  const { name } = signer;
  return (
    <td className="row-actions">
      <button type="button" className="icon-button quiet" aria-label={t('prepare.editNamed', { name })} onClick={onEdit}>
        <Icon name="edit" />
      </button>
      <button
        type="button"
        className="icon-button quiet"
        disabled={index === 0 && !hasCompany(draft, index)}
        aria-label={t('prepare.moveUp', { name })}
        onClick={() => onMove(signer.id, -1)}
      >
        <Icon name="up" />
      </button>
      <button
        type="button"
        className="icon-button quiet"
        disabled={index === draft.signers.length - 1 && !hasCompany(draft, index)}
        aria-label={t('prepare.moveDown', { name })}
        onClick={() => onMove(signer.id, 1)}
      >
        <Icon name="down" />
      </button>
      <button
        type="button"
        className="icon-button quiet"
        aria-label={t('prepare.removeNamed', { name })}
        onClick={() => onRemove(signer, index)}
      >
        <Icon name="trash" />
      </button>
    </td>
  );
}

/** The first about one day ahead, each later one at or after the previous. */
function firstOffered(draft: ProcessDraft, index: number): string {
  const previous = draft.signers.slice(0, index).findLast(({ dueDate }) => dueDate !== null)?.dueDate;
  return previous ?? minimumDeadline(new Date()).toISOString();
}
