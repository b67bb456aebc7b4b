import type { ProcessListItem } from '@lavra/api';
import { Suspense, useState } from 'react';
import { Link } from 'react-router';
import { useTranslation } from '../../../lib/i18n.ts';
import { formatDateTime, listNames } from '../../../lib/format.ts';
import { lazyInTime } from '../../../lib/lazy-pages.ts';
import { ProcessBadge } from '../../../shell/status-badge.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { ProgressRing } from './progress-ring.tsx';

const details = async () => (await import('./process-details.tsx')).ProcessDetails;
const ProcessDetails = lazyInTime(details);

/** What an opened row is made of comes once the list is shown, and before most are opened. */
export function fetchDetails(): void {
  // Told where a row is opened.
  details().catch(() => {});
}

/** The list is told of three at most: those may not be all. */
function firstNames(names: readonly string[]): string {
  return names.length < 3 ? listNames(names) : names.join(', ');
}

export function ProcessRow({ item }: { item: ProcessListItem }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  // What each person has of their own stands with them.
  const due = item.dueDate === null && item.hasOwnDeadlines ? t('word.dueEach') : formatDateTime(item.dueDate);
  return (
    <>
      <tr>
        <td className="card-heading">
          <span className="row-title">
            <ProgressRing signed={item.signedCount} total={item.signerCount} />
            <span className="told">
              <Link to={`/signature/process/${item.id}`}>{item.title}</Link>
              {item.waitingFor.length > 0 && (
                <span className="hint">{t('home.waitingFor', { count: item.waitingFor.length, names: firstNames(item.waitingFor) })}</span>
              )}
              {!item.currentIsOwner && <span className="hint">{t('home.sentBy', { name: item.creatorName })}</span>}
            </span>
          </span>
        </td>
        <td className="date" data-label={t('home.column.createdDate')}>
          {formatDateTime(item.createdDate)}
        </td>
        <td className="date" data-label={t('home.column.dueDate')}>
          {due}
        </td>
        <td className="card-state">
          <ProcessBadge status={item.status} />
        </td>
        <td className="card-toggle">
          <button
            type="button"
            className="icon-button chev"
            aria-expanded={open}
            aria-label={t('home.detailsOf', { title: item.title })}
            onClick={() => setOpen(!open)}
          >
            <Icon name="chevron" />
          </button>
        </td>
      </tr>
      {open && (
        <tr>
          <td colSpan={5} className="wide">
            <Suspense fallback={<div className="skeleton" aria-hidden="true" />}>
              <ProcessDetails item={item} due={due} />
            </Suspense>
          </td>
        </tr>
      )}
    </>
  );
}
