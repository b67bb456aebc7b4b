import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { joinDateTime, splitDateTime } from '../../../lib/format.ts';
import { TextField } from '../../../ui/field.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { maskDigits } from '../../../ui/masks.ts';

interface DeadlineFieldProps {
  label: string;
  /** ISO instant. */
  value: string | null;
  /** First instant the calendar offers. */
  min: string;
  error?: string | undefined;
  /** In a table, whose column says what it is. */
  compact?: boolean;
  onChange(value: string | null): void;
}

/** Day (DD/MM/YYYY) and time (24 h) in Brasília's zone, typed, pasted or taken from the browser's calendar. `null` while it is not a date. */
export function DeadlineField({ label, value, min, error, compact = false, onChange }: DeadlineFieldProps) {
  const { t } = useTranslation();
  const [date, setDate] = useState(value ? splitDateTime(value).date : '');
  const [time, setTime] = useState(value ? splitDateTime(value).time : '');
  const calendar = useRef<HTMLInputElement>(null);
  const set = (nextDate: string, nextTime: string) => {
    setDate(nextDate);
    setTime(nextTime);
    onChange(joinDateTime(nextDate, nextTime));
  };
  const invalid = date.length === 10 && time.length === 5 && joinDateTime(date, time) === null;
  return (
    <div className={compact ? 'two compact' : 'two'} role="group" aria-label={label}>
      <div className="date-field">
        <TextField
          label={t('deadline.date')}
          inputMode="numeric"
          placeholder={t('deadline.pattern')}
          value={date}
          onChange={(text) => set(maskDigits(text, '99/99/9999'), time)}
          error={invalid ? t('deadline.invalid') : error}
        />
        {/* The button opens the browser's own calendar; the input it belongs to is only its carrier. */}
        <input
          ref={calendar}
          type="date"
          className="date-carrier"
          tabIndex={-1}
          aria-hidden="true"
          min={toIsoDay(splitDateTime(min).date)}
          value={date.length === 10 ? toIsoDay(date) : ''}
          onChange={(event) => event.target.value && set(event.target.value.split('-').toReversed().join('/'), time)}
        />
        <button
          type="button"
          className="icon-button"
          aria-label={`${t('deadline.calendar')} (${label})`}
          onClick={() => calendar.current?.showPicker()}
        >
          <Icon name="calendar" />
        </button>
      </div>
      <TextField
        label={t('deadline.time')}
        inputMode="numeric"
        placeholder="HH:mm"
        value={time}
        onChange={(text) => set(date, maskDigits(text, '99:99'))}
        hint={compact ? undefined : t('deadline.zone')}
      />
    </div>
  );
}

function toIsoDay(date: string): string {
  return date.split('/').toReversed().join('-');
}
