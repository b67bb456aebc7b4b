import { defaultGeneralDeadline, minimumDeadline } from '@lavra/domain';
import { useTranslation } from '../../../lib/i18n.ts';
import { DateTimeField } from '../../../ui/date-time-field.tsx';
import { Switch } from '../../../ui/field.tsx';
import { withOfferedDeadlines } from './offered-deadlines.ts';
import type { ProcessDraft, UpdateDraft } from './process-draft.ts';

/** Until when everybody, and until when each signer. */
export function DeadlinesSection({ draft, update, fault }: { draft: ProcessDraft; update: UpdateDraft; fault: string | undefined }) {
  const { t } = useTranslation();
  const general = (hasDeadline: boolean) => {
    const individual = draft.individual ? draft.signers.map(({ dueDate }) => dueDate ?? '') : [];
    // What is offered first fits what was chosen already: never before the last individual deadline.
    const offered = [defaultGeneralDeadline(new Date()).toISOString(), ...individual].toSorted().at(-1) ?? null;
    update({ hasDeadline, deadline: draft.deadline ?? offered });
  };
  const individual = (on: boolean) =>
    update({
      individual: on,
      signers: on ? withOfferedDeadlines(draft.signers, draft, new Date()) : draft.signers,
    });
  return (
    <>
      <h2>{t('prepare.deadlines')}</h2>
      <Switch label={t('prepare.generalDeadline')} checked={draft.hasDeadline} onChange={general} />
      {draft.hasDeadline && (
        <DateTimeField
          label={t('prepare.deadline')}
          value={draft.deadline}
          min={minimumDeadline(new Date()).toISOString()}
          onChange={(deadline) => update({ deadline })}
          error={fault}
        />
      )}
      <Switch label={t('prepare.individualDeadlines')} checked={draft.individual} onChange={individual} />
    </>
  );
}
