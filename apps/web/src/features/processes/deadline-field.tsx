import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { joinDateTime, splitDateTime } from '../../lib/format.ts';
import { TextField } from '../../ui/field.tsx';
import { maskDigits } from '../../ui/masks.ts';

/** Day (DD/MM/YYYY) and time (24 h) in Brasília's zone; masks take typing and paste. `null` while it is not a date. */
export function DeadlineField({ label, value, error, onChange }: { label: string; value: string | null; error?: string | undefined; onChange(value: string | null): void }) {
  const { t } = useTranslation();
  const [date, setDate] = useState(value ? splitDateTime(value).date : '');
  const [time, setTime] = useState(value ? splitDateTime(value).time : '');
  const set = (nextDate: string, nextTime: string) => {
    setDate(nextDate);
    setTime(nextTime);
    onChange(joinDateTime(nextDate, nextTime));
  };
  const invalid = date.length === 10 && time.length === 5 && joinDateTime(date, time) === null;
  return (
    <div className="two" role="group" aria-label={label}>
      <TextField label={`${label}: ${t('deadline.date')}`} inputMode="numeric" placeholder="DD/MM/AAAA" value={date} onChange={(text) => set(maskDigits(text, '99/99/9999'), time)} error={invalid ? t('deadline.invalid') : error} />
      <TextField label={t('deadline.time')} inputMode="numeric" placeholder="HH:mm" value={time} onChange={(text) => set(date, maskDigits(text, '99:99'))} hint={t('deadline.zone')} />
    </div>
  );
}
