import { type CalendarDate, parseDate, parseTime, setLocalTimeZone, type Time } from '@internationalized/date';
import { Button } from 'react-aria-components/Button';
import {
  Calendar,
  CalendarCell,
  CalendarGrid,
  CalendarGridBody,
  CalendarGridHeader,
  CalendarHeaderCell,
} from 'react-aria-components/Calendar';
import { Dialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Label } from 'react-aria-components/Label';
import { DateInput, DateSegment, TimeField } from 'react-aria-components/TimeField';
import type { RefObject } from 'react';
import { useTranslation } from '../lib/i18n.ts';
import { timeZone } from '../lib/zone.ts';
import { AriaPopover } from './aria-popover.tsx';
import { Icon } from './icons.tsx';
import './date-time-calendar.css';

interface DateTimeCalendarProps {
  anchor: RefObject<HTMLElement | null>;
  label: string;
  /** DD/MM/YYYY and HH:mm, as far as they are typed. */
  date: string;
  time: string;
  min: { date: string; time: string };
  onChange(date: string, time: string): void;
  onClose(): void;
}

/** A month to choose a day from, and the time of that day, over the field they belong to. Always six weeks: nothing jumps. */
export function DateTimeCalendar({ anchor, label, date, time, min, onChange, onClose }: DateTimeCalendarProps) {
  const { t } = useTranslation();
  // Which day is today is asked in the zone that the fields are read in.
  setLocalTimeZone(timeZone());
  const name = `${t('dateTime.calendar')} (${label})`;
  const day = toDay(date);
  const first = toDay(min.date);
  return (
    <AriaPopover anchor={anchor} onClose={onClose}>
      <Dialog className="calendar" aria-label={name}>
        <Calendar
          value={day}
          minValue={first}
          defaultFocusedValue={day ?? first}
          firstDayOfWeek="sun"
          autoFocus
          aria-label={label}
          onChange={(chosen) => onChange(fromDay(chosen), time || min.time)}
        >
          <Month />
        </Calendar>
        <div className="calendar-foot">
          <TimeField
            className="calendar-time"
            value={toTime(time)}
            hourCycle={24}
            shouldForceLeadingZeros
            onChange={(chosen) => chosen && onChange(date, chosen.toString().slice(0, 5))}
          >
            <Label>{t('dateTime.time')}</Label>
            <DateInput className="segments">{(segment) => <DateSegment segment={segment} />}</DateInput>
          </TimeField>
          <button type="button" className="primary" onClick={onClose}>
            {t('dateTime.done')}
          </button>
        </div>
      </Dialog>
    </AriaPopover>
  );
}

function Month() {
  return (
    <>
      <header className="calendar-head">
        <Button slot="previous" className="icon-button calendar-back">
          <Icon name="chevron" />
        </Button>
        <Heading className="calendar-month" />
        <Button slot="next" className="icon-button">
          <Icon name="chevron" />
        </Button>
      </header>
      <CalendarGrid weekdayStyle="short" className="calendar-grid">
        <CalendarGridHeader>{(weekday) => <CalendarHeaderCell>{weekday}</CalendarHeaderCell>}</CalendarGridHeader>
        <CalendarGridBody>{(one) => <CalendarCell date={one} className="calendar-day" />}</CalendarGridBody>
      </CalendarGrid>
    </>
  );
}

function toDay(date: string): CalendarDate | null {
  try {
    return parseDate(date.split('/').toReversed().join('-'));
  } catch {
    return null;
  }
}

function fromDay({ day, month, year }: CalendarDate): string {
  return [String(day).padStart(2, '0'), String(month).padStart(2, '0'), String(year).padStart(4, '0')].join('/');
}

function toTime(time: string): Time | null {
  try {
    return parseTime(time);
  } catch {
    return null;
  }
}
