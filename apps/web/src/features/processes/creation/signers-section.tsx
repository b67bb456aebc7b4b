import { useTranslation } from 'react-i18next';
import { Switch } from '../../../ui/field.tsx';
import { FaultNotice } from './fault-notice.tsx';
import type { ProcessDraft, UpdateDraft } from './process-draft.ts';
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

/** The signer form and the table in signing order. */
export function SignersSection({ draft, update, fault, deadlineFault, pending, onPending }: SignersProps) {
  const { t } = useTranslation();
  const { add, set, move, remove, setMultiple } = useSigners(draft, update);
  return (
    <>
      <h2>{t('home.signers')}</h2>
      <FaultNotice text={fault} />
      <FaultNotice text={pending ? t('prepare.pendingPerson') : undefined} />
      <SignerForm onPending={onPending} onAdd={add} />
      <Switch label={t('prepare.multiple')} checked={draft.multiple} onChange={setMultiple} />
      {draft.signers.length > 0 && (
        <SignersTable draft={draft} deadlineFault={deadlineFault} onChange={set} onMove={move} onRemove={remove} />
      )}
    </>
  );
}
