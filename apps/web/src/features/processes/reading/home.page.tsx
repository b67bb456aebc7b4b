import { getCounterInfos, getProcessesInfos, type ProcessListItem } from '@lavra/api';
import { limits } from '@lavra/domain';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { callApi } from '../../../lib/api-client.ts';
import { useManagementInfo } from '../../../lib/management-info.ts';
import { useSettled } from '../../../lib/use-settled.ts';
import { Notice, Page } from '../../../shell/page.tsx';

import { Pagination } from '../../../ui/pagination.tsx';
import { sortChosenFiles } from '../creation/chosen-files.ts';
import { FileDropzone } from '../creation/file-dropzone.tsx';
import { createDraft } from '../creation/process-draft.ts';
import { ProcessRow } from './process-row.tsx';
import { Empty, Failed, Loading } from '../../../ui/states.tsx';

const sortable = ['title', 'createdDate', 'dueDate', 'status'] as const;
type Counter = 'requested' | 'pending' | 'received';
const counters: readonly Counter[] = ['requested', 'pending', 'received'];

export function Component() {
  const { t } = useTranslation();
  const state = (useLocation().state ?? {}) as { message?: string };
  return (
    <Page title={t('home.title')}>
      {state.message && <Notice kind="success">{t(state.message)}</Notice>}
      <NewProcess />
      <ProcessList />
    </Page>
  );
}

function NewProcess() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { data: info } = useManagementInfo();
  const [refused, setRefused] = useState<{ key: string; name: string }[]>([]);
  async function open(files: File[]): Promise<void> {
    const chosen = sortChosenFiles(files, [], info?.maxUploadBytes);
    setRefused(chosen.refused);
    if (chosen.accepted.length === 0) return;
    await navigate('/prepare', { state: { draftId: await createDraft(chosen.accepted), refused: chosen.refused } });
  }
  return (
    <>
      <FileDropzone maxBytes={info?.maxUploadBytes} onFiles={(files) => void open(files)} />
      {refused.map(({ key, name }) => (
        <Notice key={name} kind="warning">
          {t(key, { name, megabytes: Math.floor((info?.maxUploadBytes ?? 0) / 1024 / 1024) })}
        </Notice>
      ))}
    </>
  );
}

interface ListState {
  page: number;
  sortBy: (typeof sortable)[number];
  direction: 'asc' | 'desc';
}

function readListState(search: URLSearchParams): ListState {
  const [field, order] = (search.get('sort') ?? '').split(',');
  return {
    page: Math.max(0, (Number(search.get('page')) || 1) - 1),
    sortBy: sortable.find((one) => one === field) ?? 'createdDate',
    direction: order === 'asc' ? 'asc' : 'desc',
  };
}

function ProcessList() {
  const { t } = useTranslation();
  const [search, setSearch] = useSearchParams();
  const [filters, setFilters] = useState<readonly Counter[]>([]);
  const [words, setWords] = useState('');
  const searchText = useSettled(words);
  const { page, sortBy, direction } = readListState(search);
  const { data: counts } = useQuery({ queryKey: ['counters'], queryFn: () => callApi(getCounterInfos, {}) });
  const query = {
    page,
    size: limits.processPageSize,
    sortBy,
    direction,
    searchText,
    sortRequested: filters.includes('requested') ? ('true' as const) : ('false' as const),
    sortReceived: filters.includes('received') ? ('true' as const) : ('false' as const),
    sortPending: filters.includes('pending') ? ('true' as const) : ('false' as const),
  };
  const { data, isError, refetch } = useQuery({
    queryKey: ['processes', query],
    queryFn: ({ signal }) => callApi(getProcessesInfos, { query, signal }),
    placeholderData: keepPreviousData,
  });
  const show = (change: Partial<ListState>) => {
    const next = { page, sortBy, direction, ...change };
    setSearch({ page: String(next.page + 1), sort: `${next.sortBy},${next.direction}` }, { replace: true });
  };
  const pages = data ? Math.ceil(data.total / limits.processPageSize) : undefined;
  // An address may name a page that is not there (any more).
  useEffect(() => {
    if (pages !== undefined && pages > 0 && page >= pages) show({ page: pages - 1 });
  }, [pages, page]);
  const toggle = (counter: Counter) => {
    setFilters(filters.includes(counter) ? filters.filter((one) => one !== counter) : [...filters, counter]);
    show({ page: 0 });
  };
  return (
    <>
      <div className="counters">
        {counters.map((counter) => (
          <button key={counter} type="button" className="counter" aria-pressed={filters.includes(counter)} onClick={() => toggle(counter)}>
            <strong>{counts?.[counter] ?? '–'}</strong>
            <span>{t(`home.${counter}`)}</span>
          </button>
        ))}
      </div>
      <section className="card" aria-label={t('home.list')}>
        <input
          type="search"
          aria-label={t('home.search')}
          placeholder={t('home.search')}
          value={words}
          onChange={(event) => {
            setWords(event.target.value);
            show({ page: 0 });
          }}
        />
        {isError && <Failed text={t('home.loadFailed')} onRetry={() => void refetch()} />}
        {!data && !isError && <Loading rows={4} />}
        {data && data.total === 0 && <Empty text={t(filters.length > 0 || searchText !== '' ? 'home.emptyFiltered' : 'home.empty')} />}
        {data && data.total > 0 && <ProcessTable items={data.signatureProcesses} sortBy={sortBy} direction={direction} onSort={show} />}
        {data && (
          <Pagination
            page={page}
            pages={pages ?? 0}
            label={t('paging.label')}
            previous={t('paging.previous')}
            next={t('paging.next')}
            pageName={(number) => t('paging.page', { number })}
            onChange={(next) => show({ page: next })}
          />
        )}
      </section>
    </>
  );
}

function ProcessTable({
  items,
  sortBy,
  direction,
  onSort,
}: {
  items: readonly ProcessListItem[];
  sortBy: string;
  direction: string;
  onSort(change: Partial<ListState>): void;
}) {
  const { t } = useTranslation();
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
