import { limits } from '@lavra/domain';
import { useState } from 'react';
import { useTranslation } from '../../../lib/i18n.ts';
import { Field, Switch } from '../../../ui/field.tsx';
import { reminderConflict } from './draft-faults.ts';
import { FaultNotice } from './fault-notice.tsx';
import type { ProcessDraft } from './process-draft.ts';

/** An interval that would go past the deadline is refused; one that a later change of the deadline made wrong is told. */
export function ReminderSection({ draft, update }: { draft: ProcessDraft; update(change: Partial<ProcessDraft>): void }) {
  const { t } = useTranslation();
  const [refused, setRefused] = useState<number | null>(null);
  const conflicts = (days: number) => reminderConflict({ ...draft, hasReminder: true, reminderDays: days }, new Date());
  const choose = (days: number) => {
    const conflict = conflicts(days);
    setRefused(conflict ? days : null);
    if (!conflict) update({ hasReminder: true, reminderDays: days });
  };
  const toggle = (on: boolean) => {
    setRefused(null);
    if (!on) update({ hasReminder: false });
    // What was chosen before may not fit any more; the shortest interval is the last one to conflict.
    else choose(conflicts(draft.reminderDays) ? limits.reminderDays[0] : draft.reminderDays);
  };
  const conflict = (draft.hasReminder && conflicts(draft.reminderDays)) || (refused !== null && conflicts(refused));
  return (
    <>
      <Switch label={t('prepare.reminder')} checked={draft.hasReminder} onChange={toggle} />
      <FaultNotice text={conflict ? t('process.reminderConflict') : undefined} />
      {draft.hasReminder && (
        <Field label={t('prepare.reminderEvery')}>
          {({ id }) => (
            <select id={id} value={draft.reminderDays} onChange={(event) => choose(Number(event.target.value))}>
              {limits.reminderDays.map((days) => (
                <option key={days} value={days}>
                  {t('prepare.days', { count: days })}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
    </>
  );
}
