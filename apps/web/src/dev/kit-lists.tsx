import { useState } from 'react';
import { useTranslation } from '../lib/i18n.ts';
import { DataTable } from '../ui/data-table.tsx';
import { Pagination } from '../ui/pagination.tsx';
import { Empty, Failed, Loading } from '../ui/states.tsx';
import { useKitWords } from './use-kit-words.ts';

const people = [
  { id: 1, name: 'Conceição Magalhães', state: 'signed', kind: 'badge-good' },
  { id: 2, name: 'Zé da Silva', state: 'waiting', kind: 'badge-wait' },
  { id: 3, name: 'Ana Prado', state: 'rejected', kind: 'badge-bad' },
] as const;

/** A table, which is cards on a phone, with its pages. */
export function KitTable() {
  const w = useKitWords();
  const { t } = useTranslation();
  const [sort, setSort] = useState<{ by: string; direction: 'asc' | 'desc' }>({ by: 'id', direction: 'asc' });
  const [page, setPage] = useState(3);
  const sorted = people.toSorted((a, b) => {
    const order = sort.by === 'name' ? a.name.localeCompare(b.name) : a.id - b.id;
    return sort.direction === 'asc' ? order : -order;
  });
  return (
    <section className="card" aria-labelledby="kit-table">
      <h2 id="kit-table">{w('table')}</h2>
      <DataTable
        label={w('people')}
        items={sorted}
        keyOf={({ id }) => id}
        sort={sort}
        sorts={['id', 'name']}
        onSort={(by, direction) => setSort({ by, direction })}
        columns={[
          { key: 'id', label: w('order'), numeric: true, cell: ({ id }) => id },
          { key: 'name', label: w('name'), heading: true, cell: ({ name }) => name },
          { key: 'state', label: w('state'), cell: ({ state, kind }) => <span className={`badge ${kind}`}>{w(state)}</span> },
        ]}
        actionsLabel={w('actions')}
        actions={({ name }) => (
          <>
            <button type="button" aria-label={`${w('edit')} ${name}`}>
              {w('edit')}
            </button>
            <button type="button" aria-label={`${w('remove')} ${name}`}>
              {w('remove')}
            </button>
          </>
        )}
      />
      <Pagination
        page={page}
        pages={9}
        label={t('paging.label')}
        previous={t('paging.previous')}
        next={t('paging.next')}
        pageName={(number) => t('paging.page', { number })}
        onChange={setPage}
      />
    </section>
  );
}

/** What stands where something is on its way, is not there, or did not come. */
export function KitStates() {
  const w = useKitWords();
  return (
    <section className="card" aria-labelledby="kit-states">
      <h2 id="kit-states">{w('states')}</h2>
      <Loading rows={2} />
      <Failed text={w('failed')} onRetry={() => {}} />
      <Empty text={w('empty')}>
        <button type="button" className="primary">
          {w('first')}
        </button>
      </Empty>
    </section>
  );
}
