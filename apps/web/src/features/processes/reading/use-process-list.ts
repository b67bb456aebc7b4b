import { getCounterInfos, getProcessesInfos } from '@lavra/api';
import { limits } from '@lavra/domain';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { AHEAD_MS, askAhead, useCall } from '../../../lib/calls.ts';
import { lettersAfter } from '../../../lib/letters.ts';
import { readToken } from '../../../lib/token.ts';
import { useSettled } from '../../../lib/use-settled.ts';

export const sortable = ['title', 'createdDate', 'dueDate', 'status'] as const;
export type Counter = 'requested' | 'pending' | 'received';
export const counters: readonly Counter[] = ['requested', 'pending', 'received'];

/** How a process may stand, as people choose among them. */
export const standings = [
  'IN_PROGRESS',
  'FINALIZED_WITH_SUCCESS',
  'FINALIZED_BY_REJECTION',
  'FINALIZED_BY_EXPIRATION',
  'CREATOR_CANCELED',
] as const;
export type Standing = (typeof standings)[number];

/** What stands in the address. */
export interface ListState {
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

interface Sought extends ListState {
  filters: readonly Counter[];
  searchText: string;
  standing: Standing | '';
}

const flag = (on: boolean) => (on ? ('true' as const) : ('false' as const));

function queryOf({ page, sortBy, direction, filters, searchText, standing }: Sought) {
  return {
    page,
    size: limits.processPageSize,
    sortBy,
    direction,
    searchText,
    sortRequested: flag(filters.includes('requested')),
    sortReceived: flag(filters.includes('received')),
    sortPending: flag(filters.includes('pending')),
    ...(standing === '' ? {} : { status: standing }),
  };
}

/** What the address says is on its way beside the account, and not after it. */
export function askForProcesses(): void {
  if (readToken() === null) return;
  const state = readListState(new URLSearchParams(window.location.search));
  const query = queryOf({ ...state, filters: [], searchText: '', standing: '' });
  lettersAfter(Promise.allSettled([askAhead(getProcessesInfos, { query }), askAhead(getCounterInfos, {})]));
}

/** The list of processes: what is asked for (page and order in the address, words and counters beside it), and what came. */
export function useProcessList() {
  const [search, setSearch] = useSearchParams();
  const [filters, setFilters] = useState<readonly Counter[]>([]);
  const [words, setWords] = useState('');
  const [standing, setStanding] = useState<Standing | ''>('');
  const searchText = useSettled(words);
  const state = readListState(search);
  const { page } = state;
  const { data: counts } = useCall(getCounterInfos, {}, { freshMs: AHEAD_MS });
  const query = queryOf({ ...state, filters, searchText, standing });
  const { data, isError, refetch } = useCall(getProcessesInfos, { query }, { keepLast: true, freshMs: AHEAD_MS });
  const show = (change: Partial<ListState>) => {
    const next = { ...state, ...change };
    setSearch({ page: String(next.page + 1), sort: `${next.sortBy},${next.direction}` }, { replace: true });
  };
  // Where nobody has counted them all there is one page more, until it turns out to be the last.
  const pages = data ? Math.ceil(data.total / limits.processPageSize) + (data.isTotalExact ? 0 : 1) : undefined;
  // An address may name a page that is not there (any more).
  useEffect(() => {
    if (pages !== undefined && pages > 0 && page >= pages) show({ page: pages - 1 });
  }, [pages, page]);
  const toggle = (counter: Counter) => {
    setFilters(filters.includes(counter) ? filters.filter((one) => one !== counter) : [...filters, counter]);
    show({ page: 0 });
  };
  const look = (text: string) => {
    setWords(text);
    show({ page: 0 });
  };
  const stand = (next: Standing | '') => {
    setStanding(next);
    show({ page: 0 });
  };
  return {
    state,
    show,
    filters,
    toggle,
    words,
    look,
    standing,
    stand,
    isFiltered: filters.length > 0 || searchText !== '' || standing !== '',
    counts,
    data,
    isError,
    refetch,
    pages,
  };
}
