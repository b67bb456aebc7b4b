import type { ProcessListItem } from '@lavra/api';
import { useEffect } from 'react';
import { useTranslation } from '../../../lib/i18n.ts';
import { fetchDetails, ProcessRow } from './process-row.tsx';
import { type ListState, sortable } from './use-process-list.ts';

interface TableProps {
  items: readonly ProcessListItem[];
  sortBy: string;
  direction: string;
  onSort(change: Partial<ListState>): void;
}

/** The processes of one page, sorted by the columns that say so. */
export function ProcessTable({ items, sortBy, direction, onSort }: TableProps) {
  const { t } = useTranslation();
  useEffect(fetchDetails, []);
  return (
    <table className="cards">
      <thead>
        <tr>
          {sortable.map((field) => (
            <th key={field} scope="col" aria-sort={sortBy === field ? (direction === 'asc' ? 'ascending' : 'descending') : 'none'}>
              <button
                type="button"
                onClick={() => onSort({ sortBy: field, direction: sortBy === field && direction === 'desc' ? 'asc' : 'desc', page: 0 })}
              >
                {t(`home.column.${field}`)} {sortBy === field ? (direction === 'asc' ? '↑' : '↓') : ''}
              </button>
            </th>
          ))}
          <th scope="col">
            <span className="visually-hidden">{t('home.details')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <ProcessRow key={item.id} item={item} />
        ))}
      </tbody>
    </table>
  );
}
