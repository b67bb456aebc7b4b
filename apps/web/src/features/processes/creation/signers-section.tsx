import { useState } from 'react';
import { useTranslation } from '../../../lib/i18n.ts';
import { useAccount } from '../../../lib/account.ts';
import { Switch } from '../../../ui/field.tsx';
import { FaultNotice } from './fault-notice.tsx';
import { PasteDialog } from './paste-dialog.tsx';
import type { ProcessDraft, UpdateDraft } from './process-draft.ts';
import { RecentContacts } from './recent-contacts.tsx';
import { SignerForm } from './signer-form.tsx';
import { SignersTable } from './signers-table.tsx';
import { useSigners } from './use-signers.ts';

interface SignersProps {
  draft: ProcessDraft;
  update: UpdateDraft;
  fault: string | undefined;
  deadlineFault(index: number): string | undefined;
  /** The form holds somebody who was not added, and the user wants to go on. */
  pending: boolean;
  onPending(pending: boolean): void;
}

/** The signer form, shorter ways to fill the list, and the table in signing order. */
export function SignersSection({ draft, update, fault, deadlineFault, pending, onPending }: SignersProps) {
  const { t } = useTranslation();
  const { add, set, move, join, drop, remove, setMultiple } = useSigners(draft, update);
  const known = draft.signers.map(({ email }) => email);
  return (
    <>
      <h2>{t('word.signers')}</h2>
      <FaultNotice text={fault} />
      <FaultNotice text={pending ? t('prepare.pendingPerson') : undefined} />
      <SignerForm onPending={onPending} onSave={(person) => add([person])} />
      <ShortWays known={known} onAdd={add} />
      <Switch label={t('prepare.multiple')} checked={draft.multiple} onChange={setMultiple} />
      {draft.signers.length > 0 && (
        <SignersTable
          draft={draft}
          deadlineFault={deadlineFault}
          onChange={set}
          onMove={move}
          onJoin={join}
          onDrop={drop}
          onRemove={remove}
        />
      )}
    </>
  );
}

type People = Parameters<ReturnType<typeof useSigners>['add']>[0];

/** Oneself, a whole list, and people who were called before. */
function ShortWays({ known, onAdd }: { known: readonly string[]; onAdd(people: People): void }) {
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
          <button type="button" onClick={() => onAdd([own])}>
            {t('prepare.me')}
          </button>
        )}
        <button type="button" onClick={() => setPasting(true)}>
          {t('prepare.paste.open')}
        </button>
      </div>
      {/* Oneself has a button already. */}
      <RecentContacts known={own ? [...known, own.email] : known} onAdd={(person) => onAdd([person])} />
      {pasting && <PasteDialog known={known} onAdd={onAdd} onClose={() => setPasting(false)} />}
    </>
  );
}
