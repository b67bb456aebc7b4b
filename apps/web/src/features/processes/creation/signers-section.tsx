import { useState } from 'react';
import { useTranslation } from '../../../lib/i18n.ts';
import { useAccount } from '../../../lib/account.ts';
import { Switch } from '../../../ui/field.tsx';
import { FaultNotice, useFocusOnFault } from './fault-notice.tsx';
import { PasteDialog } from './paste-dialog.tsx';
import type { ProcessDraft, SignerPerson, UpdateDraft } from './process-draft.ts';
import { RecentContacts } from './recent-contacts.tsx';
import { signerFault } from './signer-fault.ts';
import { SignerForm } from './signer-form.tsx';
import { SignersTable } from './signers-table.tsx';
import { useSigners } from './use-signers.ts';

interface SignersProps {
  draft: ProcessDraft;
  update: UpdateDraft;
  fault: string | undefined;
  signerFault(index: number): string | undefined;
  deadlineFault(index: number): string | undefined;
  /** The form holds somebody who was not added, and the user wants to go on. */
  pending: boolean;
  onPending(pending: boolean): void;
}

/** The signer form, shorter ways to fill the list, and the table in signing order. */
export function SignersSection({ draft, update, fault, pending, onPending, ...faults }: SignersProps) {
  const { t } = useTranslation();
  const { add, set, move, join, drop, remove, setMultiple } = useSigners(draft, update);
  const { form, given, isHeld, onTyped, enter } = useEntry(add);
  const known = draft.signers.map(({ email }) => email);
  const pend = (typed: boolean) => {
    onTyped(typed);
    onPending(typed);
  };
  return (
    <>
      <h2>{t('word.signers')}</h2>
      <FaultNotice text={fault} />
      <div ref={form}>
        <FaultNotice text={pending || isHeld ? t('prepare.pendingPerson') : undefined} />
        <SignerForm key={given.key} given={given.person} onPending={pend} onSave={(person) => add([person])} />
      </div>
      <ShortWays known={known} onAdd={add} onEnter={enter} />
      <Switch label={t('prepare.multiple')} checked={draft.multiple} onChange={setMultiple} />
      {draft.signers.length > 0 && (
        <SignersTable draft={draft} {...faults} onChange={set} onMove={move} onJoin={join} onDrop={drop} onRemove={remove} />
      )}
    </>
  );
}

type People = Parameters<ReturnType<typeof useSigners>['add']>[0];

/** Somebody at one press: who cannot sign as they are written comes into the form, to be corrected there, unless somebody else is in it. */
function useEntry(add: (people: People) => void) {
  const [given, setGiven] = useState<{ key: number; person?: SignerPerson }>({ key: 0 });
  const [isTyped, setTyped] = useState(false);
  const [isHeld, setHeld] = useState(false);
  /** How often somebody could not be added. */
  const [refused, setRefused] = useState(0);
  const form = useFocusOnFault(refused);
  return {
    form,
    given,
    isHeld: isHeld && isTyped,
    onTyped(typed: boolean): void {
      setTyped(typed);
      if (!typed) setHeld(false);
    },
    enter(person: SignerPerson): void {
      if (!signerFault(person)) return add([person]);
      setRefused(refused + 1);
      if (isTyped) setHeld(true);
      else setGiven({ key: given.key + 1, person });
    },
  };
}

interface WaysProps {
  known: readonly string[];
  /** People who have been judged. */
  onAdd(people: People): void;
  onEnter(person: SignerPerson): void;
}

/** Oneself, a whole list, and people who were called before. */
function ShortWays({ known, onAdd, onEnter }: WaysProps) {
  const { t } = useTranslation();
  const { data: account } = useAccount();
  const [pasting, setPasting] = useState(false);
  const own = account && {
    name: `${account.firstName} ${account.lastName}`.trim(),
    email: account.email,
    phoneNumber: null,
    cpf: null,
    cnpj: null,
  };
  return (
    <>
      <div className="short-ways">
        {own && own.name !== '' && !known.includes(own.email) && (
          <button type="button" onClick={() => onEnter(own)}>
            {t('prepare.me')}
          </button>
        )}
        <button type="button" onClick={() => setPasting(true)}>
          {t('prepare.paste.open')}
        </button>
      </div>
      {/* Oneself has a button already. */}
      <RecentContacts known={own ? [...known, own.email] : known} onAdd={onEnter} />
      {pasting && <PasteDialog known={known} onAdd={onAdd} onClose={() => setPasting(false)} />}
    </>
  );
}
