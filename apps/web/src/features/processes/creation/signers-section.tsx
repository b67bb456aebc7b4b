import { defaultIndividualDeadline, formatCpf, limits, minimumFirstIndividualDeadline, nearestQuantity } from '@lavra/domain';
import { useTranslation } from 'react-i18next';
import { DateTimeField } from '../../../ui/date-time-field.tsx';
import { Switch } from '../../../ui/field.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { FaultNotice } from './fault-notice.tsx';
import type { ProcessDraft, SignerDraft, UpdateDraft } from './process-draft.ts';
import { SignerForm } from './signer-form.tsx';
import { useToldRemoval } from './use-told-removal.ts';

interface SectionProps {
  draft: ProcessDraft;
  update: UpdateDraft;
}

interface SignersExtras {
  fault: string | undefined;
  deadlineFault(index: number): string | undefined;
  /** The form holds somebody who was not added, and the user wants to go on. */
  pending: boolean;
  onPending(pending: boolean): void;
}

/** The signer form and the table in signing order. */
export function SignersSection({ draft, update, fault, deadlineFault, pending, onPending }: SectionProps & SignersExtras) {
  const { t } = useTranslation();
  const tellRemoval = useToldRemoval();
  const setSigners = (signers: SignerDraft[]) => update({ signers });
  const change = (id: string, part: Partial<SignerDraft>) =>
    setSigners(draft.signers.map((signer) => (signer.id === id ? { ...signer, ...part } : signer)));
  const move = (index: number, by: number) => {
    const signers = [...draft.signers];
    const [signer] = signers.splice(index, 1);
    if (signer) signers.splice(index + by, 0, signer);
    setSigners(signers);
  };
  const withCpf = draft.signers.some((signer) => signer.cpf);
  const remove = (signer: SignerDraft, index: number) => {
    tellRemoval(signer.name, () => update(({ signers }) => ({ signers: signers.toSpliced(index, 0, signer) })));
    setSigners(draft.signers.filter(({ id }) => id !== signer.id));
  };
  return (
    <>
      <h2>{t('home.signers')}</h2>
      <FaultNotice text={fault} />
      <FaultNotice text={pending ? t('prepare.pendingPerson') : undefined} />
      <SignerForm
        onPending={onPending}
        onAdd={(person) =>
          setSigners([
            ...draft.signers,
            {
              id: crypto.randomUUID(),
              ...person,
              quantity: 1,
              dueDate: draft.individual ? defaultIndividualDeadline(new Date(), draft.signers.length).toISOString() : null,
            },
          ])
        }
      />
      <Switch
        label={t('prepare.multiple')}
        checked={draft.multiple}
        onChange={(multiple) =>
          update({ multiple, signers: multiple ? draft.signers : draft.signers.map((signer) => ({ ...signer, quantity: 1 })) })
        }
      />
      {draft.signers.length > 0 && (
        <table className="cards">
          <thead>
            <tr>
              <th scope="col">{t('signer.order')}</th>
              <th scope="col">{t('signer.name')}</th>
              <th scope="col">{t('login.email')}</th>
              {withCpf && <th scope="col">CPF</th>}
              {draft.multiple && <th scope="col">{t('prepare.quantity')}</th>}
              {draft.individual && <th scope="col">{t('prepare.deadline')}</th>}
              <th scope="col">
                <span className="visually-hidden">{t('home.actions')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {draft.signers.map((signer, index) => (
              <tr key={signer.id}>
                <td data-label={t('signer.order')}>{index + 1}</td>
                <td className="card-heading">{signer.name}</td>
                <td className="email" data-label={t('login.email')}>
                  {signer.email}
                </td>
                {withCpf && <td data-label="CPF">{signer.cpf ? formatCpf(signer.cpf) : '—'}</td>}
                {draft.multiple && (
                  <td data-label={t('prepare.quantity')}>
                    <input
                      type="number"
                      min={1}
                      max={limits.quantityMax}
                      aria-label={t('prepare.quantityOf', { name: signer.name })}
                      value={signer.quantity}
                      onChange={(event) => change(signer.id, { quantity: nearestQuantity(Number(event.target.value)) })}
                    />
                  </td>
                )}
                {draft.individual && (
                  <td className="wide">
                    <DateTimeField
                      compact
                      label={t('prepare.deadlineOf', { name: signer.name })}
                      value={signer.dueDate}
                      min={minimumDeadline(draft, index)}
                      error={deadlineFault(index)}
                      onChange={(dueDate) => change(signer.id, { dueDate })}
                    />
                  </td>
                )}
                <td className="row-actions">
                  <button
                    type="button"
                    className="icon-button quiet"
                    disabled={index === 0}
                    aria-label={t('prepare.moveUp', { name: signer.name })}
                    onClick={() => move(index, -1)}
                  >
                    <Icon name="up" />
                  </button>
                  <button
                    type="button"
                    className="icon-button quiet"
                    disabled={index === draft.signers.length - 1}
                    aria-label={t('prepare.moveDown', { name: signer.name })}
                    onClick={() => move(index, 1)}
                  >
                    <Icon name="down" />
                  </button>
                  <button
                    type="button"
                    className="icon-button quiet"
                    aria-label={t('prepare.removeNamed', { name: signer.name })}
                    onClick={() => remove(signer, index)}
                  >
                    <Icon name="trash" />
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}

/** The first about one day ahead, each later one at or after the previous. */
function minimumDeadline(draft: ProcessDraft, index: number): string {
  const previous = draft.signers.slice(0, index).findLast(({ dueDate }) => dueDate !== null)?.dueDate;
  return previous ?? minimumFirstIndividualDeadline(new Date()).toISOString();
}
