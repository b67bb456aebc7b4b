import { Suspense, useRef, useState } from 'react';
import { lazyInTime } from '../lib/lazy-pages.ts';
import { useTranslation } from '../lib/i18n.ts';
import { joinDateTime, splitDateTime, zoneName } from '../lib/format.ts';
import { timeZone } from '../lib/zone.ts';
import { TextField } from './field.tsx';
import { Icon } from './icons.tsx';
import { maskDate, maskDigits, wholeDate } from './masks.ts';

/** Fetched when somebody reaches for it: nobody else pays for it. */
const fetchCalendar = () => import('./date-time-calendar.tsx');
const DateTimeCalendar = lazyInTime(async () => (await fetchCalendar()).DateTimeCalendar);

interface DateTimeFieldProps {
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

/** Day (DD/MM/YYYY) and time (24 h) in the user's zone: typed, pasted, or taken from a calendar. `null` while it is not a date. */
export function DateTimeField({ label, value, min, error, compact = false, onChange }: DateTimeFieldProps) {
  const { t, i18n } = useTranslation();
  const [date, setDate] = useState(value ? splitDateTime(value).date : '');
  const [time, setTime] = useState(value ? splitDateTime(value).time : '');
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
          label={t('dateTime.date')}
          inputMode="numeric"
          placeholder={t('dateTime.pattern')}
          value={date}
          onChange={(text) => set(maskDate(text), time)}
          onBlur={() => wholeDate(date) !== date && set(wholeDate(date), time)}
          error={invalid ? t('dateTime.invalid') : error}
        />
        <CalendarButton label={label} date={date} time={time} min={min} onChange={set} />
      </div>
      <TextField
        label={t('dateTime.time')}
        inputMode="numeric"
        placeholder="HH:mm"
        value={time}
        onChange={(text) => set(date, maskDigits(text, '99:99'))}
        hint={compact ? undefined : zoneName(timeZone(), i18n.language)}
      />
    </div>
  );
}

interface CalendarButtonProps {
  label: string;
  date: string;
  time: string;
  min: string;
  onChange(date: string, time: string): void;
}

function CalendarButton({ label, date, time, min, onChange }: CalendarButtonProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  return (
    <>
      <button
        ref={button}
        type="button"
        className="icon-button"
        aria-label={`${t('dateTime.calendar')} (${label})`}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onPointerEnter={() => void fetchCalendar()}
        onFocus={() => void fetchCalendar()}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="calendar" />
      </button>
      {isOpen && (
        <Suspense fallback={null}>
          <DateTimeCalendar
            anchor={button}
            label={label}
            date={date}
            time={time}
            min={splitDateTime(min)}
            onChange={onChange}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  );
}
