import { checkedPartyName, limits, parseEmail, refusalOf } from '@lavra/domain';
import { type FormEvent, useEffect, useState } from 'react';
import { useTranslation } from '../../../lib/i18n.ts';
import { Switch, TextField } from '../../../ui/field.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { NameField } from '../../../ui/name-field.tsx';
import { FaultNotice } from './fault-notice.tsx';
import type { ProcessDraft, UpdateDraft } from './process-draft.ts';
import { useToldRemoval } from './use-told-removal.ts';

type Party = ProcessDraft['stakeholders'][number];

interface StakeholdersProps {
  draft: ProcessDraft;
  update: UpdateDraft;
  /** The form holds somebody who was not added, and the user wants to go on. */
  pending: boolean;
  onPending(pending: boolean): void;
}

/** Interested parties: they are listed and, where the sender wants it, hear of success. */
export function StakeholdersSection({ draft, update, pending, onPending }: StakeholdersProps) {
  const { t } = useTranslation();
  const tellRemoval = useToldRemoval();
  const set = (change: (parties: Party[]) => Party[]) => update((latest) => ({ stakeholders: change(latest.stakeholders) }));
  const remove = (party: Party, index: number) => {
    tellRemoval(party.name, () =>
      set((parties) => (parties.some((other) => other.email === party.email) ? parties : parties.toSpliced(index, 0, party))),
    );
    set((parties) => parties.filter((other) => other.email !== party.email));
  };
  return (
    <>
      <h2>{t('word.stakeholders')}</h2>
      <Switch
        label={t('prepare.hasStakeholders')}
        checked={draft.hasStakeholders}
        onChange={(hasStakeholders) => update({ hasStakeholders })}
      />
      {/* Kept while it is switched off: what was typed is still there. */}
      <div hidden={!draft.hasStakeholders}>
        <FaultNotice text={pending ? t('prepare.pendingPerson') : undefined} />
        <StakeholderForm parties={draft.stakeholders} onPending={onPending} onAdd={(party) => set((parties) => [...parties, party])} />
        {draft.stakeholders.length > 0 && <Parties parties={draft.stakeholders} onRemove={remove} />}
        <Switch
          label={t('prepare.tellStakeholders')}
          checked={draft.tellStakeholders}
          onChange={(tellStakeholders) => update({ tellStakeholders })}
        />
      </div>
    </>
  );
}

function Parties({ parties, onRemove }: { parties: readonly Party[]; onRemove(party: Party, index: number): void }) {
  const { t } = useTranslation();
  return (
    <table className="cards">
      <thead>
        <tr>
          <th scope="col">{t('word.name')}</th>
          <th scope="col">{t('word.email')}</th>
          <th scope="col">
            <span className="visually-hidden">{t('home.actions')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {parties.map((party, index) => (
          <tr key={party.email}>
            <td className="card-heading">{party.name}</td>
            <td className="email" data-label={t('word.email')}>
              {party.email}
            </td>
            <td className="row-actions">
              <button
                type="button"
                className="icon-button quiet"
                aria-label={t('prepare.removeNamed', { name: party.name })}
                onClick={() => onRemove(party, index)}
              >
                <Icon name="trash" />
              </button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface FormProps {
  parties: readonly Party[];
  onPending(pending: boolean): void;
  onAdd(party: Party): void;
}

/** One more; a repeated e-mail is not added. */
function StakeholderForm({ parties, onPending, onAdd }: FormProps) {
  const { t } = useTranslation();
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [tried, setTried] = useState(false);
  const typed = name.trim() !== '' || email.trim() !== '';
  useEffect(() => onPending(typed), [typed]);
  const address = parseEmail(email);
  const nameFault = refusalOf(() => checkedPartyName(name));
  const repeated = parties.some((party) => party.email === address);
  const emailFault = address === null ? 'account.emailInvalid' : repeated ? 'stakeholder.duplicateEmail' : null;
  function submit(event: FormEvent): void {
    event.preventDefault();
    setTried(true);
    if (nameFault || address === null || repeated) return;
    onAdd({ name: checkedPartyName(name), email: address });
    setName('');
    setEmail('');
    setTried(false);
  }
  return (
    <form className="inline-form" onSubmit={submit} noValidate>
      <NameField
        label={t('word.name')}
        autoComplete="off"
        value={name}
        onChange={setName}
        error={tried && nameFault ? t(nameFault.code, nameFault.params) : undefined}
      />
      <TextField
        label={t('word.email')}
        type="email"
        autoComplete="off"
        maxLength={limits.emailMax}
        value={email}
        onChange={setEmail}
        error={tried && emailFault ? t(emailFault, { email: address ?? email }) : undefined}
      />
      <button type="submit">{t('prepare.addStakeholder')}</button>
    </form>
  );
}
