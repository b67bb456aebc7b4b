import { useSearchParams } from 'react-router';

export interface ListPlace {
  /** Zero-based; one-based in the address. */
  page: number;
  sortBy: string;
  direction: 'asc' | 'desc';
}

/** Where a list stands, as its address says: `?page=N&sort=field,order`. What it cannot be is the usual. */
export function readListPlace(search: URLSearchParams, sorts: readonly string[], usual: Omit<ListPlace, 'page'>): ListPlace {
  const [field, order] = (search.get('sort') ?? '').split(',');
  const isKnown = sorts.includes(field ?? '');
  return {
    page: Math.max(0, Math.trunc(Number(search.get('page')) || 1) - 1),
    sortBy: isKnown && field ? field : usual.sortBy,
    direction: order === 'asc' || order === 'desc' ? order : usual.direction,
  };
}

export function useListPlace(sorts: readonly string[], usual: Omit<ListPlace, 'page'>): [ListPlace, (change: Partial<ListPlace>) => void] {
  const [search, setSearch] = useSearchParams();
  const place = readListPlace(search, sorts, usual);
  const show = (change: Partial<ListPlace>) => {
    const next = { ...place, ...change };
    setSearch({ page: String(next.page + 1), sort: `${next.sortBy},${next.direction}` }, { replace: true });
  };
  return [place, show];
}
