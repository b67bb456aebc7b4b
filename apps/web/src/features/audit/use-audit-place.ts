import { auditKinds, auditOutcomes } from '@lavra/api';
import { useSearchParams } from 'react-router';
import { joinDateTime } from '../../lib/format.ts';

/** What is looked for and where one is, as the address says. Days are DD/MM/YYYY, as they are typed. */
export interface AuditPlace {
  query: string;
  kind: string;
  outcome: string;
  from: string;
  to: string;
  /** Zero-based; one-based in the address. */
  page: number;
}

export function useAuditPlace(): [AuditPlace, (change: Partial<AuditPlace>) => void] {
  const [search, setSearch] = useSearchParams();
  const said = (name: string) => search.get(name) ?? '';
  const place: AuditPlace = {
    query: said('query'),
    kind: auditKinds.find((one) => one === said('kind')) ?? '',
    outcome: auditOutcomes.find((one) => one === said('outcome')) ?? '',
    from: said('from'),
    to: said('to'),
    page: Math.max(0, Math.trunc(Number(said('page')) || 1) - 1),
  };
  const show = (change: Partial<AuditPlace>) => {
    // Whoever looks for something else begins at its first page.
    const { page, ...asked } = { ...place, page: 0, ...change };
    const named = Object.entries(asked).filter(([, value]) => value !== '');
    setSearch({ ...Object.fromEntries(named), ...(page > 0 ? { page: String(page + 1) } : {}) }, { replace: true });
  };
  return [place, show];
}

/** What the call takes for it: a day is from its midnight to the next. What is no day yet is not asked for. */
export function askedOf({ query, kind, outcome, from, to, page }: AuditPlace, size: number) {
  const [start, end] = [joinDateTime(from, '00:00'), joinDateTime(to, '00:00')];
  return {
    page,
    size,
    query: query.trim() || undefined,
    kind: auditKinds.find((one) => one === kind),
    outcome: auditOutcomes.find((one) => one === outcome),
    from: start ?? undefined,
    to: end === null ? undefined : dayAfter(end),
  };
}

/** The zone that deadlines are told in has no summer time since 2019. */
function dayAfter(midnight: string): string {
  return new Date(Date.parse(midnight) + 24 * 3_600_000).toISOString();
}
